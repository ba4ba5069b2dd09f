// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a program in a pseudo-terminal, looks at its screen and types.
 *
 * Reads commands, a line each, and answers each with "ok", or with "failed" after lines that say
 * why:
 *
 *   run ROWS COLUMNS COMMAND...	by a shell that becomes it
 *   see SECONDS REGEX			a row of the screen matches, now or within SECONDS
 *   keys TEXT				typed; \e is escape, \c is Ctrl-C
 *   resize ROWS COLUMNS
 *   kill NUMBER			a signal to the program
 *   end SECONDS STATUS			it ends with that status, 128 + N by a signal
 *   restored				the terminal is as it was: settings, page and cursor
 *   colors yes|no			there are colours on the screen
 *   frame				the screen
 *   svg FILE TITLE...			the screen as a picture
 */
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include "svg.h"
#include "vt.h"

static struct vt vt;
static struct termios before;
/* Its slave stays open, so that its settings can be read when the program has gone. */
static int master = -1, slave = -1;
static pid_t child;

static int misused(void)
{
	printf("not now, or not so: see the head of terminal.c\n");
	return -1;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Takes what the program wrote. Returns 0 if it wrote nothing within the time. */
static int take_output(int ms)
{
	struct pollfd p = { .fd = master, .events = POLLIN };
	unsigned char bytes[4096];
	ssize_t n, i;

	if (poll(&p, 1, ms) <= 0)
		return 0;
	n = read(master, bytes, sizeof(bytes));
	for (i = 0; i < n; i++)
		vt_take(&vt, bytes[i]);
	return n > 0;
}

static void print_frame(void)
{
	int row;

	for (row = 0; row < vt.rows; row++)
		printf("|%s\n", vt_line(&vt, row));
}

static void run_child(const char *command)
{
	char line[4096];

	login_tty(slave);
	close(master);
	snprintf(line, sizeof(line), "exec %s", command);
	execl("/bin/sh", "sh", "-c", line, NULL);
	_exit(127);
}

static int run(const char *line)
{
	struct winsize size = { 0 };
	int rows, columns, command = 0;

	if (child || sscanf(line, "%d %d %n", &rows, &columns, &command) != 2 || !command)
		return misused();
	if (master < 0 && openpty(&master, &slave, NULL, NULL, NULL))
		return printf("no pseudo-terminal: %s\n", strerror(errno)), -1;
	size.ws_row = rows;
	size.ws_col = columns;
	ioctl(master, TIOCSWINSZ, &size);
	tcgetattr(slave, &before);
	vt_start(&vt, rows, columns);
	child = fork();
	if (!child)
		run_child(line + command);
	return child < 0 ? -1 : 0;
}

static int screen_matches(const regex_t *regex)
{
	int row;

	for (row = 0; row < vt.rows; row++)
		if (!regexec(regex, vt_line(&vt, row), 0, NULL, 0))
			return 1;
	return 0;
}

static int see(const char *line)
{
	int seconds, at = 0, seen;
	regex_t regex;
	long deadline;

	if (sscanf(line, "%d %n", &seconds, &at) != 1 || !at ||
	    regcomp(&regex, line + at, REG_EXTENDED | REG_NOSUB))
		return misused();
	deadline = now_ms() + seconds * 1000L;
	/* Only what it has drawn to its end is looked at. */
	do {
		while (take_output(20))
			;
		seen = screen_matches(&regex);
	} while (!seen && now_ms() < deadline);
	regfree(&regex);
	if (seen)
		return 0;
	printf("not within %d s: %s\n", seconds, line + at);
	print_frame();
	return -1;
}

static int keys(const char *line)
{
	for (; *line; line++) {
		char c = *line;

		if (c == '\\' && line[1])
			c = *++line == 'e' ? 033 : *line == 'c' ? 003 : *line;
		if (write(master, &c, 1) != 1)
			return printf("cannot type: %s\n", strerror(errno)), -1;
	}
	return 0;
}

static int resize(const char *line)
{
	struct winsize size = { 0 };
	int rows, columns;

	if (sscanf(line, "%d %d", &rows, &columns) != 2)
		return misused();
	while (take_output(0))
		;
	vt_resize(&vt, rows, columns);
	size.ws_row = rows;
	size.ws_col = columns;
	return ioctl(master, TIOCSWINSZ, &size);
}

static int end(const char *line)
{
	int seconds, wanted, status = 0, got;
	long deadline;

	if (sscanf(line, "%d %d", &seconds, &wanted) != 2 || !child)
		return misused();
	deadline = now_ms() + seconds * 1000L;
	while (waitpid(child, &status, WNOHANG) != child) {
		take_output(20);
		if (now_ms() < deadline)
			continue;
		printf("it runs after %d s\n", seconds);
		print_frame();
		return -1;
	}
	child = 0;
	while (take_output(20))
		;
	got = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (got == wanted)
		return 0;
	printf("it ended with %d\n", got);
	print_frame();
	return -1;
}

static int restored(void)
{
	struct termios after;

	tcgetattr(slave, &after);
	if (memcmp(&before, &after, sizeof(before)))
		printf("the settings are not what they were\n");
	if (vt.alternate)
		printf("the program's page is still shown\n");
	if (vt.hidden)
		printf("the cursor is hidden\n");
	if (vt.unknown)
		printf("%d sequences are not known here\n", vt.unknown);
	return memcmp(&before, &after, sizeof(before)) || vt.alternate || vt.hidden ||
	       vt.unknown ? -1 : 0;
}

static int colors(const char *wanted)
{
	int row, column, found = 0;

	for (row = 0; row < vt.rows; row++)
		for (column = 0; column < vt.columns; column++)
			found |= vt.page.cells[row][column].look.color >= 0;
	if (found == !strcmp(wanted, "yes"))
		return 0;
	printf("there are %s colours\n", found ? "some" : "no");
	return -1;
}

static int write_svg(const char *line)
{
	char path[4096];
	int title = 0;

	if (sscanf(line, "%4095s %n", path, &title) != 1)
		return misused();
	if (!svg_write(&vt, path, line + title))
		return 0;
	printf("%s: %s\n", path, strerror(errno));
	return -1;
}

static int obey(char *line)
{
	char *rest = strchr(line, ' ');

	if (rest)
		*rest++ = 0;
	else
		rest = line + strlen(line);
	if (!strcmp(line, "run"))
		return run(rest);
	if (master < 0)
		return printf("nothing was run\n"), -1;
	if (!strcmp(line, "see"))
		return see(rest);
	if (!strcmp(line, "keys"))
		return keys(rest);
	if (!strcmp(line, "resize"))
		return resize(rest);
	if (!strcmp(line, "kill"))
		return child ? kill(child, atoi(rest)) : -1;
	if (!strcmp(line, "end"))
		return end(rest);
	if (!strcmp(line, "restored"))
		return restored();
	if (!strcmp(line, "colors"))
		return colors(rest);
	if (!strcmp(line, "svg"))
		return write_svg(rest);
	if (!strcmp(line, "frame"))
		return print_frame(), 0;
	printf("no such command: %s\n", line);
	return -1;
}

int main(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	char line[4096];

	setlocale(LC_CTYPE, "C.UTF-8");
	setvbuf(stdin, NULL, _IONBF, 0);
	for (;;) {
		/* The program must never wait until somebody reads what it draws. */
		while (!poll(&input, 1, master < 0 ? -1 : 0))
			take_output(20);
		if (!fgets(line, sizeof(line), stdin))
			break;
		line[strcspn(line, "\n")] = 0;
		printf("%s\n", obey(line) ? "failed" : "ok");
		fflush(stdout);
	}
	if (child)
		kill(child, SIGKILL);
	return 0;
}
