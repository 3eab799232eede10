/* SPDX-License-Identifier: MIT */
/* The table of formats, and telling them apart. */
#ifndef GWS_IO_FORMAT_H
#define GWS_IO_FORMAT_H

#include "reader.h"

/* The format of an input whose first piece has been peeked at: by its first bytes, or the first line that is no
 * comment, or the name's ending before .gz, or because that line is two or three numbers; GWS_FORMAT_AUTO: unknown. */
enum gws_format gws__format_find(const struct gws__input *input, const char *name);

/* The format of a name's ending, before .gz; GWS_FORMAT_AUTO: none. */
enum gws_format gws__format_of_name(const char *name);

/* True if the name ends so, before .gz, in upper or lower case. */
bool gws__format_ending(const char *name, const char *ending);

/* The reader of a text format. */
gws__reader *gws__format_reader(enum gws_format format);

#endif
