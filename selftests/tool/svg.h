/* SPDX-License-Identifier: GPL-2.0 */
/* A terminal's page as a picture. */
#ifndef SVG_H
#define SVG_H

#include <stdio.h>
#include <string.h>

#include "vt.h"

#define SVG_CELL	8.4
#define SVG_LINE	17
#define SVG_EDGE	10

static const char *const svg_ground = "#1c1f26";

static const char *svg_color(const struct vt_look *look)
{
	static const char *const colors[] = {
		"#4b5263", "#f0616d", "#5fbf77", "#e5b84d",
		"#61a5f0", "#c678dd", "#4fc1cf", "#dcdfe4",
	};

	if (look->color >= 0)
		return colors[look->color];
	return look->dim ? "#8b92a0" : look->bold ? "#ffffff" : "#d0d4dc";
}

static void svg_glyph(FILE *out, unsigned int glyph)
{
	char text[5] = "";

	vt_utf8(text, glyph);
	if (glyph == '<')
		fputs("&lt;", out);
	else if (glyph == '&')
		fputs("&amp;", out);
	else
		fputs(text, out);
}

/* Cells of one look, at their place whatever the font. */
static void svg_run(FILE *out, const struct vt_cell *cells, int row, int from, int to)
{
	const struct vt_look *look = &cells[from].look;
	double x = SVG_EDGE + from * SVG_CELL, width = (to - from) * SVG_CELL;
	int y = SVG_EDGE + row * SVG_LINE, i, seen = 0;

	if (look->reverse)
		fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" "
			"fill=\"%s\"/>\n", x, y, width, SVG_LINE, svg_color(look));
	for (i = from; i < to; i++)
		seen |= cells[i].glyph != ' ';
	if (!seen)
		return;
	fprintf(out, "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" fill=\"%s\"%s>",
		x, y + 13, width, look->reverse ? svg_ground : svg_color(look),
		look->bold ? " font-weight=\"bold\"" : "");
	for (i = from; i < to; i++)
		svg_glyph(out, cells[i].glyph);
	fputs("</text>\n", out);
}

static void svg_row(FILE *out, const struct vt *vt, int row)
{
	const struct vt_cell *cells = vt->page.cells[row];
	int from = 0, to;

	while (from < vt->columns) {
		for (to = from + 1; to < vt->columns; to++)
			if (memcmp(&cells[to].look, &cells[from].look, sizeof(cells->look)))
				break;
		svg_run(out, cells, row, from, to);
		from = to;
	}
}

static int svg_write(const struct vt *vt, const char *path, const char *title)
{
	double width = vt->columns * SVG_CELL + 2 * SVG_EDGE;
	int height = vt->rows * SVG_LINE + 2 * SVG_EDGE, row;
	FILE *out = fopen(path, "w");

	if (!out)
		return -1;
	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<!-- SPDX-License-Identifier: GPL-2.0 -->\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" "
		"font-family=\"'DejaVu Sans Mono', 'Liberation Mono', monospace\" font-size=\"14\" "
		"xml:space=\"preserve\" style=\"white-space: pre\">\n"
		"<title>%s</title>\n"
		"<rect width=\"%.0f\" height=\"%d\" rx=\"6\" fill=\"%s\"/>\n",
		width, height, title, width, height, svg_ground);
	for (row = 0; row < vt->rows; row++)
		svg_row(out, vt, row);
	fputs("</svg>\n", out);
	return fclose(out);
}

#endif
