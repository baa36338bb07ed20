// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows whose columns line up. A column whose header ends in {@code >} is aligned to the right.
 * Width counts code points, so that names in other alphabets line up too (wide characters do not).
 */
public final class Table {
    private final List<String[]> rows = new ArrayList<>();
    private final boolean[] right;
    private final boolean headed;

    private Table(String[] headers, boolean headed) {
        this.headed = headed;
        right = new boolean[headers.length];
        String[] titles = new String[headers.length];
        for (int i = 0; i < headers.length; i++) {
            right[i] = headers[i].endsWith(">");
            titles[i] = right[i] ? headers[i].substring(0, headers[i].length() - 1) : headers[i];
        }
        if (headed) {
            rows.add(titles);
        }
    }

    /** A table with a line of titles. */
    public static Table titled(String... headers) {
        return new Table(headers, true);
    }

    /** A table without titles: the headers only tell the alignment. */
    public static Table untitled(String... headers) {
        return new Table(headers, false);
    }

    /** Adds a row with as many cells as there are columns. */
    public Table row(String... cells) {
        if (cells.length != right.length) {
            throw new IllegalArgumentException(
                    cells.length + " cells in a table of " + right.length + " columns");
        }
        rows.add(cells.clone());
        return this;
    }

    public boolean isEmpty() {
        return rows.size() == (headed ? 1 : 0);
    }

    /** Prints all rows, without blanks at the ends of lines. */
    public void print(PrintStream out) {
        int[] widths = new int[right.length];
        for (String[] row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row[i]));
            }
        }
        for (String[] row : rows) {
            out.print(line(row, widths));
            out.print('\n');
        }
    }

    private String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(widths[i] - width(row[i]));
            line.append(i == 0 ? "" : "  ");
            line.append(right[i] ? padding + row[i] : row[i] + padding);
        }
        return line.toString().stripTrailing();
    }

    /** Escape sequences of colours take no room. */
    static int width(String cell) {
        int width = 0;
        int[] points = cell.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            if (points[i] == 0x1b) {
                while (i < points.length && points[i] != 'm') {
                    i++;
                }
            } else {
                width++;
            }
        }
        return width;
    }

    @Override
    public String toString() {
        return "table of " + rows.size() + " rows, first " + Arrays.toString(rows.get(0));
    }
}
