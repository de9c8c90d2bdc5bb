/* Queens with blocked squares, plain bitmap, no symmetry: `queens N BLOCKED...`, a mask for each row.
   Searches until 0.05 s are over; prints the number of solutions and the CPU seconds of one search. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int n;
static unsigned all, blocked[32];

static long place(int row, unsigned columns, unsigned left, unsigned right) {
    if (row == n) return 1;
    long found = 0;
    for (unsigned free = all & ~(columns | left | right | blocked[row]); free; free &= free - 1) {
        unsigned queen = free & -free;
        found += place(row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return found;
}

static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    n = atoi(argv[1]);
    all = (1u << n) - 1;
    for (int row = 0; row + 2 < argc; row++) blocked[row] = strtoul(argv[row + 2], 0, 10);
    double began = cpu_s(), taken = 0;
    long found = 0;
    int n_searches = 0;
    for (; taken < 0.05; taken = cpu_s() - began, n_searches++) found = place(0, 0, 0, 0);
    printf("%ld %.9f\n", found, taken / n_searches);
    return 0;
}
