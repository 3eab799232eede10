/* SPDX-License-Identifier: MIT */
/* Reads JSON (RFC 8259) by recursive descent. Values of other shapes than the tools write, such as strings that are not
 * closed, are errors; escapes in strings stay as they are. */
#include "run_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/options.h"

enum { MAX_BYTES = 1 << 28, MAX_NESTING = 16 };

struct reader {
    struct run_file *file;
    const char *at;
    char path[RUN_FILE_PATH];
    bool short_of_memory;
};

static void skip_blanks(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

static bool accept(struct reader *reader, char wanted)
{
    skip_blanks(reader);
    if (*reader->at != wanted) return false;
    reader->at++;
    return true;
}

static bool add(struct reader *reader, const char *value, size_t length, bool is_text)
{
    struct run_file *file = reader->file;
    if (file->members == file->capacity) {
        const size_t capacity = file->capacity ? 2 * file->capacity : 256;
        struct run_member *wider = realloc(file->member, capacity * sizeof *wider);
        reader->short_of_memory = !wider;
        if (!wider) return false;
        file->member = wider;
        file->capacity = capacity;
    }
    struct run_member *member = &file->member[file->members++];
    *member = (struct run_member){.value = value, .length = length, .is_text = is_text};
    memcpy(member->path, reader->path, sizeof member->path);
    return true;
}

/* Reads a string after its first quote. */
static bool read_string(struct reader *reader, const char **value, size_t *length)
{
    *value = reader->at;
    for (; *reader->at != '"'; reader->at++) {
        if (*reader->at == '\\') reader->at++;
        if ((unsigned char)*reader->at < ' ') return false;
    }
    *length = (size_t)(reader->at++ - *value);
    return true;
}

/* Reads a number or a word: null, true, false. */
static bool read_scalar(struct reader *reader)
{
    const char *begin = reader->at;
    static const char *const word[] = {"null", "true", "false"};
    double number;
    const char *end = *begin == '-' || (*begin >= '0' && *begin <= '9') ? options_real(begin, &number) : NULL;
    for (size_t i = 0; !end && i < sizeof word / sizeof *word; i++)
        if (strncmp(begin, word[i], strlen(word[i])) == 0) end = begin + strlen(word[i]);
    if (!end) return false;
    reader->at = end;
    return add(reader, begin, (size_t)(end - begin), false);
}

static bool read_value(struct reader *reader, int depth);

static bool read_list(struct reader *reader, int depth)
{
    if (accept(reader, ']')) return true;
    do
        if (!read_value(reader, depth + 1)) return false;
    while (accept(reader, ','));
    return accept(reader, ']');
}

static bool read_object(struct reader *reader, int depth)
{
    const size_t outer = strlen(reader->path);
    if (accept(reader, '}')) return true;
    do {
        const char *key;
        size_t length;
        if (!accept(reader, '"') || !read_string(reader, &key, &length) || !accept(reader, ':')) return false;
        if (outer + length + 2 > sizeof reader->path) return false;
        snprintf(reader->path + outer, sizeof reader->path - outer, "%s%.*s", outer ? "." : "", (int)length, key);
        if (!read_value(reader, depth + 1)) return false;
        reader->path[outer] = '\0';
    } while (accept(reader, ','));
    return accept(reader, '}');
}

static bool read_value(struct reader *reader, int depth) /* NOLINT(misc-no-recursion): at most MAX_NESTING deep */
{
    const char *value;
    size_t length;
    if (depth > MAX_NESTING) return false;
    if (accept(reader, '{')) return read_object(reader, depth);
    if (accept(reader, '[')) return read_list(reader, depth);
    if (accept(reader, '"')) return read_string(reader, &value, &length) && add(reader, value, length, true);
    return read_scalar(reader);
}

/* ---- the file ---- */

static int load(const char *path, struct run_file *file, size_t *bytes)
{
    FILE *in = fopen(path, "rb");
    char name[CONSOLE_NAME];
    if (!in) return console_fail("%s: cannot be read", console_name(path, name));
    size_t capacity = 0;
    int status = -1;
    do {
        capacity = capacity ? 2 * capacity : 1 << 16;
        char *wider = capacity <= MAX_BYTES ? realloc(file->text, capacity + 1) : NULL;
        if (!wider) {
            status = capacity <= MAX_BYTES ? console_fail("%s", gws_status_text(GWS_NO_MEMORY))
                                           : console_usage("%s: too large to be a run", console_name(path, name));
            break;
        }
        file->text = wider;
        *bytes += fread(file->text + *bytes, 1, capacity - *bytes, in);
    } while (*bytes == capacity);
    if (status < 0 && ferror(in)) status = console_fail("%s: cannot be read", console_name(path, name));
    fclose(in);
    return status;
}

int run_file_read(const char *path, struct run_file *file)
{
    *file = (struct run_file){.text = NULL};
    size_t bytes = 0;
    int status = load(path, file, &bytes);
    if (status >= 0) return status;
    file->text[bytes] = '\0';
    struct reader reader = {.file = file, .at = file->text};
    const bool whole = accept(&reader, '{') && read_object(&reader, 0);
    skip_blanks(&reader);
    if (whole && reader.at == file->text + bytes) return -1;
    char name[CONSOLE_NAME];
    if (reader.short_of_memory) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    return console_usage("%s: no JSON of a run: byte %zu is wrong", console_name(path, name),
                         (size_t)(reader.at - file->text) + 1);
}

void run_file_clear(struct run_file *file)
{
    free(file->text);
    free(file->member);
    *file = (struct run_file){.text = NULL};
}

/* ---- values ---- */

bool run_member_is_at(const struct run_member *member, const char *path)
{
    return strcmp(member->path, path) == 0;
}

const struct run_member *run_file_member(const struct run_file *file, const char *path)
{
    for (size_t i = 0; i < file->members; i++)
        if (run_member_is_at(&file->member[i], path)) return &file->member[i];
    return NULL;
}

bool run_member_is(const struct run_member *member, const char *text)
{
    return member && member->is_text && member->length == strlen(text) &&
           memcmp(member->value, text, member->length) == 0;
}

double run_file_sum(const struct run_file *file, const char *path)
{
    double sum = -1, number;
    for (size_t i = 0; i < file->members; i++) {
        const struct run_member *member = &file->member[i];
        if (strcmp(member->path, path) != 0 || member->is_text || !options_real(member->value, &number)) continue;
        sum = (sum < 0 ? 0 : sum) + number;
    }
    return sum;
}

bool run_file_parameter(const struct run_file *file, const struct json_field *field, void *data)
{
    char path[RUN_FILE_PATH], digits[32];
    snprintf(path, sizeof path, "parameters.%s", field->key);
    const struct run_member *member = run_file_member(file, path);
    if (!member) return false;
    char *at = (char *)data + field->offset;
    snprintf(digits, sizeof digits, "%.*s", (int)(member->length < 31 ? member->length : 31), member->value);
    const bool is_true = strcmp(digits, "true") == 0;
    switch (field->kind) {
    case JSON_TEXT:
        return member->is_text;
    case JSON_REAL:
        return !member->is_text && options_real(member->value, (double *)at) != NULL;
    case JSON_U64:
        return !member->is_text && options_number(digits, 0, UINT64_MAX, (uint64_t *)at);
    case JSON_BOOL:
        *(bool *)at = is_true;
        return !member->is_text && (is_true || strcmp(digits, "false") == 0);
    case JSON_U32:
        break;
    }
    return false;
}
