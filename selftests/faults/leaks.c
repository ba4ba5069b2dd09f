// SPDX-License-Identifier: GPL-2.0
/* What kmemleak finds. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "faults.h"

#define KMEMLEAK	"/sys/kernel/debug/kmemleak"
/* Younger objects are not told of. */
#define MIN_AGE		6

static void scan(void)
{
	int fd = open(KMEMLEAK, O_WRONLY);

	if (fd < 0 || write(fd, "scan", 4) != 4)
		die("%s: %s", KMEMLEAK, strerror(errno));
	close(fd);
}

/* Counts the objects that nobody refers to, as far as they were found, and shows them. */
int leaks_known(void)
{
	FILE *in = fopen(KMEMLEAK, "r");
	char line[256];
	int count = 0;

	if (!in)
		die("%s: %s", KMEMLEAK, strerror(errno));
	while (fgets(line, sizeof(line), in)) {
		count += !strncmp(line, "unreferenced object", 19);
		fputs(line, stderr);
	}
	fclose(in);
	return count;
}

/* Looks for them first. The first scan makes out which objects still change. */
int leaks_scan(void)
{
	scan();
	sleep(MIN_AGE);
	scan();
	return leaks_known();
}
