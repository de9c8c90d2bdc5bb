/* Exact covers of at most 128 items that are covered once or at most once, and counters beside them: the options
   that remain are listed for each depth, an item with the fewest of them is covered next.

   Reads numbers: n_options n_items n_required n_counters; low and high of each counter; then for each option its
   counter or -1, the number of its items, and the items. Items below n_required must be covered.
   Searches until 0.05 s are over; prints the number of solutions and the CPU seconds of one search. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned __int128 Mask;
enum { MOST_ITEMS = 128, MOST_COUNTERS = 64 };

static int n_options, n_required, n_counters;
static int low[MOST_COUNTERS], high[MOST_COUNTERS], used[MOST_COUNTERS];
static Mask *mask_of, required;
static int *counter_of;

static int lowest(Mask mask) {
    unsigned long half = mask;
    return half ? __builtin_ctzl(half) : 64 + __builtin_ctzl((unsigned long)(mask >> 64));
}

static long cover(Mask open, const int *options, int n_live, int *room) {
    if (!open) {
        for (int c = 0; c < n_counters; c++)
            if (used[c] < low[c]) return 0;
        return 1;
    }
    int uses[MOST_ITEMS] = {0}, supply[MOST_COUNTERS] = {0};
    for (int k = 0; k < n_live; k++) {
        for (Mask rest = mask_of[options[k]] & required; rest; rest &= rest - 1) uses[lowest(rest)]++;
        if (counter_of[options[k]] >= 0) supply[counter_of[options[k]]]++;
    }
    for (int c = 0; c < n_counters; c++)
        if (used[c] + supply[c] < low[c]) return 0;
    int best = -1;
    for (Mask rest = open; rest; rest &= rest - 1) {
        int item = lowest(rest);
        if (best < 0 || uses[item] < uses[best]) best = item;
    }
    long found = 0;
    for (int k = 0; k < n_live && uses[best]; k++) {
        Mask chosen = mask_of[options[k]];
        if (!(chosen >> best & 1)) continue;
        int counter = counter_of[options[k]], left = 0;
        if (counter >= 0) used[counter]++;
        for (int j = 0; j < n_live; j++) {
            int c = counter_of[options[j]];
            room[left] = options[j];
            left += !(mask_of[options[j]] & chosen) && (c < 0 || used[c] < high[c]);
        }
        found += cover(open & ~chosen, room, left, room + left + 1);
        if (counter >= 0) used[counter]--;
    }
    return found;
}

static int next(void) {
    int number;
    if (scanf("%d", &number) != 1) exit(2);
    return number;
}

static double cpu_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(void) {
    n_options = next();
    int n_items = next();
    n_required = next();
    n_counters = next();
    if (n_items > MOST_ITEMS || n_counters > MOST_COUNTERS) return 2;
    for (int c = 0; c < n_counters; c++) low[c] = next(), high[c] = next();
    mask_of = calloc(n_options, sizeof *mask_of);
    counter_of = calloc(n_options, sizeof *counter_of);
    int *options = malloc(n_options * sizeof *options);
    int *room = malloc((MOST_ITEMS + 1) * (n_options + 1) * sizeof *room);
    for (int k = 0; k < n_options; k++) {
        counter_of[k] = next();
        for (int size = next(); size > 0; size--) mask_of[k] |= (Mask)1 << next();
        options[k] = k;
    }
    for (int item = 0; item < n_required; item++) required |= (Mask)1 << item;
    double began = cpu_s(), taken = 0;
    long found = 0;
    int n_searches = 0;
    for (; taken < 0.05; taken = cpu_s() - began, n_searches++) found = cover(required, options, n_options, room);
    printf("%ld %.9f\n", found, taken / n_searches);
    return 0;
}
