/* SPDX-License-Identifier: GPL-2.0 */
/* A terminal as a program sees it: what xterm and the console do with the bytes they get. */
#ifndef VT_H
#define VT_H

#include <string.h>

#define VT_ROWS		100
#define VT_COLUMNS	250
#define VT_ARGS		16

struct vt_look {
	unsigned char bold, dim, reverse;
	signed char color;	/* -1: the terminal's own */
};

struct vt_cell {
	unsigned int glyph;
	struct vt_look look;
};

struct vt_page {
	struct vt_cell cells[VT_ROWS][VT_COLUMNS];
	int row, column;
};

enum vt_state { VT_TEXT, VT_ESCAPE, VT_CONTROL, VT_STRING, VT_CHARSET };

struct vt {
	struct vt_page page, main;	/* main: while the program has the other */
	int rows, columns;
	int top, bottom;		/* what scrolls */
	int alternate, hidden;		/* the other page; the cursor */
	struct vt_look look;
	enum vt_state state;
	int args[VT_ARGS], nr_args, private;
	unsigned int glyph;		/* of UTF-8, so far */
	int more;
	unsigned int last;		/* what REP repeats */
	int unknown;			/* sequences that are not here */
};

static const struct vt_cell vt_blank = { ' ', { 0, 0, 0, -1 } };

static int vt_between(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

static void vt_blank_cells(struct vt *vt, int row, int from, int to)
{
	for (; from < to && from < VT_COLUMNS; from++)
		vt->page.cells[row][from] = vt_blank;
}

static void vt_blank_rows(struct vt *vt, int from, int to)
{
	for (; from < to && from < VT_ROWS; from++)
		vt_blank_cells(vt, from, 0, VT_COLUMNS);
}

static void vt_resize(struct vt *vt, int rows, int columns)
{
	vt->rows = vt_between(rows, 1, VT_ROWS);
	vt->columns = vt_between(columns, 1, VT_COLUMNS);
	vt->top = 0;
	vt->bottom = vt->rows - 1;
	vt->page.row = vt_between(vt->page.row, 0, vt->rows - 1);
	vt->page.column = vt_between(vt->page.column, 0, vt->columns - 1);
}

static void vt_start(struct vt *vt, int rows, int columns)
{
	memset(vt, 0, sizeof(*vt));
	vt->look = vt_blank.look;
	vt_blank_rows(vt, 0, VT_ROWS);
	vt_resize(vt, rows, columns);
}

/* Rows of [from, bottom] go up by n, or down by -n. */
static void vt_scroll(struct vt *vt, int from, int n)
{
	int count = vt->bottom - from + 1, by = n < 0 ? -n : n;
	struct vt_cell (*cells)[VT_COLUMNS] = vt->page.cells;

	if (by > count)
		by = count;
	if (n > 0) {
		memmove(cells[from], cells[from + by], (count - by) * sizeof(*cells));
		vt_blank_rows(vt, vt->bottom + 1 - by, vt->bottom + 1);
	} else {
		memmove(cells[from + by], cells[from], (count - by) * sizeof(*cells));
		vt_blank_rows(vt, from, from + by);
	}
}

static void vt_line_feed(struct vt *vt)
{
	if (vt->page.row == vt->bottom)
		vt_scroll(vt, vt->top, 1);
	else if (vt->page.row < vt->rows - 1)
		vt->page.row++;
}

static void vt_show(struct vt *vt, unsigned int glyph)
{
	if (vt->page.column == vt->columns) {
		vt->page.column = 0;
		vt_line_feed(vt);
	}
	vt->page.cells[vt->page.row][vt->page.column++] = (struct vt_cell) { glyph, vt->look };
	vt->last = glyph;
}

/* Cells from the cursor on go right by n, or left by -n. */
static void vt_shift(struct vt *vt, int n)
{
	struct vt_cell *row = vt->page.cells[vt->page.row];
	int at = vt->page.column, rest = vt->columns - at, by = n < 0 ? -n : n;

	if (by > rest)
		by = rest;
	if (n > 0) {
		memmove(row + at + by, row + at, (rest - by) * sizeof(*row));
		vt_blank_cells(vt, vt->page.row, at, at + by);
	} else {
		memmove(row + at, row + at + by, (rest - by) * sizeof(*row));
		vt_blank_cells(vt, vt->page.row, vt->columns - by, vt->columns);
	}
}

static void vt_erase_line(struct vt *vt, int how)
{
	vt_blank_cells(vt, vt->page.row, how ? 0 : vt->page.column,
		       how == 1 ? vt->page.column + 1 : vt->columns);
}

static void vt_erase_page(struct vt *vt, int how)
{
	if (how == 2) {
		vt_blank_rows(vt, 0, vt->rows);
		return;
	}
	vt_erase_line(vt, how);
	if (how)
		vt_blank_rows(vt, 0, vt->page.row);
	else
		vt_blank_rows(vt, vt->page.row + 1, vt->rows);
}

static void vt_set_look(struct vt *vt, int arg)
{
	struct vt_look *look = &vt->look;

	if (arg == 0)
		*look = vt_blank.look;
	else if (arg == 1)
		look->bold = 1;
	else if (arg == 2)
		look->dim = 1;
	else if (arg == 7)
		look->reverse = 1;
	else if (arg == 22)
		vt->look = (struct vt_look) { 0, 0, look->reverse, look->color };
	else if (arg == 27)
		look->reverse = 0;
	else if (arg >= 30 && arg <= 37)
		look->color = arg - 30;
	else if (arg >= 90 && arg <= 97)
		look->color = arg - 90;
	else if (arg == 39)
		look->color = -1;
	else if (arg != 10 && arg != 49)
		vt->unknown++;
}

static void vt_set_mode(struct vt *vt, int mode, int on)
{
	if (mode == 25) {
		vt->hidden = !on;
	} else if (mode == 1049 && on && !vt->alternate) {
		vt->main = vt->page;
		vt->alternate = 1;
		vt_blank_rows(vt, 0, VT_ROWS);
	} else if (mode == 1049 && !on && vt->alternate) {
		vt->page = vt->main;
		vt->alternate = 0;
	}
}

static void vt_move(struct vt *vt, int row, int column)
{
	vt->page.row = vt_between(row, 0, vt->rows - 1);
	vt->page.column = vt_between(column, 0, vt->columns - 1);
}

/* Returns 0 if it is none that moves the cursor. */
static int vt_control_cursor(struct vt *vt, char final, int n)
{
	int row = vt->page.row, column = vt->page.column;

	switch (final) {
	case 'A':
		row -= n;
		break;
	case 'B':
		row += n;
		break;
	case 'C':
		column += n;
		break;
	case 'D':
		column -= n;
		break;
	case 'G':
		column = n - 1;
		break;
	case 'd':
		row = n - 1;
		break;
	case 'H':
		row = n - 1;
		column = (vt->args[1] ? vt->args[1] : 1) - 1;
		break;
	case 'Z':
		column = (column - 1) & ~7;
		break;
	default:
		return 0;
	}
	vt_move(vt, row, column);
	return 1;
}

/* Returns 0 if it is none that changes cells. */
static int vt_control_cells(struct vt *vt, char final, int n)
{
	struct vt_page *at = &vt->page;
	int i;

	switch (final) {
	case 'J':
		vt_erase_page(vt, vt->args[0]);
		break;
	case 'K':
		vt_erase_line(vt, vt->args[0]);
		break;
	case 'X':
		vt_blank_cells(vt, at->row, at->column, at->column + n);
		break;
	case 'P':
		vt_shift(vt, -n);
		break;
	case '@':
		vt_shift(vt, n);
		break;
	case 'L':
		vt_scroll(vt, at->row, -n);
		break;
	case 'M':
		vt_scroll(vt, at->row, n);
		break;
	case 'S':
		vt_scroll(vt, vt->top, n);
		break;
	case 'T':
		vt_scroll(vt, vt->top, -n);
		break;
	case 'b':
		for (i = 0; i < n && i < VT_COLUMNS; i++)
			vt_show(vt, vt->last);
		break;
	default:
		return 0;
	}
	return 1;
}

static void vt_set_margins(struct vt *vt, int top)
{
	int bottom = vt->args[1] ? vt->args[1] : vt->rows;

	vt->top = vt_between(top - 1, 0, vt->rows - 1);
	vt->bottom = vt_between(bottom - 1, vt->top, vt->rows - 1);
	vt_move(vt, 0, 0);
}

static void vt_control(struct vt *vt, char final)
{
	int n = vt->args[0] ? vt->args[0] : 1, i;

	if (vt->private) {
		for (i = 0; i < vt->nr_args && (final == 'h' || final == 'l'); i++)
			vt_set_mode(vt, vt->args[i], final == 'h');
	} else if (final == 'm') {
		for (i = 0; i < vt->nr_args; i++)
			vt_set_look(vt, vt->args[i]);
	} else if (final == 'r') {
		vt_set_margins(vt, n);
	} else if (!vt_control_cursor(vt, final, n) && !vt_control_cells(vt, final, n) &&
		   !strchr("hlt", final)) {
		vt->unknown++;
	}
}

static void vt_take_control(struct vt *vt, unsigned char c)
{
	if (c >= '0' && c <= '9') {
		vt->args[vt->nr_args - 1] =
			vt_between(vt->args[vt->nr_args - 1] * 10 + c - '0', 0, 9999);
	} else if (c == ';' || c == ':') {
		if (vt->nr_args < VT_ARGS)
			vt->nr_args++;
	} else if (c == '?' || c == '>' || c == '!') {
		vt->private = 1;
	} else {
		vt_control(vt, c);
		vt->state = VT_TEXT;
	}
}

static void vt_take_escape(struct vt *vt, unsigned char c)
{
	vt->state = VT_TEXT;
	switch (c) {
	case '[':
		vt->state = VT_CONTROL;
		memset(vt->args, 0, sizeof(vt->args));
		vt->nr_args = 1;
		vt->private = 0;
		break;
	case ']':
		vt->state = VT_STRING;
		break;
	case '(':
	case ')':
		vt->state = VT_CHARSET;
		break;
	case 'M':
		if (vt->page.row == vt->top)
			vt_scroll(vt, vt->top, -1);
		else
			vt_move(vt, vt->page.row - 1, vt->page.column);
		break;
	case '7':
	case '8':
	case '=':
	case '>':
	case '\\':
		break;
	default:
		vt->unknown++;
	}
}

static void vt_take_text(struct vt *vt, unsigned char c)
{
	if (vt->more && (c & 0xc0) == 0x80) {
		vt->glyph = vt->glyph << 6 | (c & 0x3f);
		if (!--vt->more)
			vt_show(vt, vt->glyph);
	} else if (c >= 0xc0) {
		vt->more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
		vt->glyph = c & (0x3f >> vt->more);
	} else if (c >= ' ') {
		vt_show(vt, c);
	} else if (c == '\r') {
		vt->page.column = 0;
	} else if (c == '\n') {
		vt_line_feed(vt);
	} else if (c == '\b') {
		vt_move(vt, vt->page.row, vt->page.column - 1);
	} else if (c == '\t') {
		vt_move(vt, vt->page.row, (vt->page.column | 7) + 1);
	}
}

static void vt_take(struct vt *vt, unsigned char c)
{
	if (c == 033) {
		vt->state = VT_ESCAPE;
		return;
	}
	switch (vt->state) {
	case VT_TEXT:
		vt_take_text(vt, c);
		break;
	case VT_ESCAPE:
		vt_take_escape(vt, c);
		break;
	case VT_CONTROL:
		vt_take_control(vt, c);
		break;
	case VT_STRING:
		/* The console's R has no end of its own. */
		if (c == '\a' || c == 'R')
			vt->state = VT_TEXT;
		break;
	case VT_CHARSET:
		vt->state = VT_TEXT;
		break;
	}
}

static int vt_utf8(char *out, unsigned int glyph)
{
	if (glyph < 0x80) {
		out[0] = glyph;
		return 1;
	}
	if (glyph < 0x800) {
		out[0] = 0xc0 | glyph >> 6;
		out[1] = 0x80 | (glyph & 0x3f);
		return 2;
	}
	out[0] = 0xe0 | glyph >> 12;
	out[1] = 0x80 | (glyph >> 6 & 0x3f);
	out[2] = 0x80 | (glyph & 0x3f);
	return 3;
}

/* A row as text, without the blanks at its end. */
static const char *vt_line(const struct vt *vt, int row)
{
	static char text[VT_COLUMNS * 4 + 1];
	int column, length = 0, end = 0;

	for (column = 0; column < vt->columns; column++) {
		length += vt_utf8(text + length, vt->page.cells[row][column].glyph);
		if (vt->page.cells[row][column].glyph != ' ')
			end = length;
	}
	text[end] = 0;
	return text;
}

#endif
