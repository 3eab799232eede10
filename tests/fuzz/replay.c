/* SPDX-License-Identifier: MIT */
/* A main function for fuzz targets without a fuzzer. It runs the target once on every given file and on every file of
 * every given folder. A finding is a crash or a report of a sanitizer. The program prints only the number of inputs. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path, off_t size)
{
    puts(path);
    fflush(stdout); /* the last name printed before a crash must be the failing input */
    uint8_t *data = malloc((size_t)size + 1);
    FILE *file = fopen(path, "rb");
    size_t got = data != NULL && file != NULL ? fread(data, 1, (size_t)size, file) : 0;
    if (file != NULL) fclose(file);
    int run = data != NULL && got == (size_t)size;
    /* A copy of the exact size lets AddressSanitizer see a read past the end. */
    uint8_t *exact = run ? realloc(data, got == 0 ? 1 : got) : NULL;
    if (exact != NULL) LLVMFuzzerTestOneInput(exact, got);
    free(exact != NULL ? exact : data);
    return exact != NULL;
}

static int replay(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) return 0;
    if (!S_ISDIR(info.st_mode)) return replay_file(path, info.st_size);
    DIR *folder = opendir(path);
    int count = 0;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.') count += replay(inside);
    }
    if (folder != NULL) closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) count += replay(argv[i]);
    printf("replayed %d inputs\n", count);
    return EXIT_SUCCESS;
}
