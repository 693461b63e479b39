/*
 * Makes the disk and the clock of one program fail on command: preloaded, it stands between the program and libc.
 * The folder in TORTURE_FAULTS has a file "fsync" while syncing fails, and a file "clock" with the seconds, as a
 * native 64-bit number, by which the wall clock is off.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char failing[PATH_MAX];
static volatile int64_t *offset;

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("TORTURE_FAULTS");
    char clock[PATH_MAX];
    if (!folder) {
        return;
    }
    snprintf(failing, sizeof failing, "%s/fsync", folder);
    snprintf(clock, sizeof clock, "%s/clock", folder);
    int file = open(clock, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        void *mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
        offset = mapped == MAP_FAILED ? NULL : mapped;
        close(file);
    }
}

static int fails(void) {
    int before = errno;
    if (failing[0] && access(failing, F_OK) == 0) {
        errno = EIO;
        return 1;
    }
    errno = before;
    return 0;
}

int fsync(int file) {
    static int (*real)(int);
    if (!real) {
        real = (int (*)(int)) dlsym(RTLD_NEXT, "fsync");
    }
    return fails() ? -1 : real(file);
}

int fdatasync(int file) {
    static int (*real)(int);
    if (!real) {
        real = (int (*)(int)) dlsym(RTLD_NEXT, "fdatasync");
    }
    return fails() ? -1 : real(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) {
        real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    }
    int result = real(clock, now);
    if (result == 0 && offset && clock == CLOCK_REALTIME) {
        now->tv_sec += *offset;
    }
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    (void) zone;
    if (now && clock_gettime(CLOCK_REALTIME, &exact) == 0) {
        now->tv_sec = exact.tv_sec;
        now->tv_usec = exact.tv_nsec / 1000;
    }
    return 0;
}
