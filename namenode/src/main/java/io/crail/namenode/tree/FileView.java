// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import org.jspecify.annotations.Nullable;

/** The extents of a file as its readers see them: its own, and those behind its window. */
public final class FileView {
    private FileView() {}

    /**
     * The extents from the one on that holds {@code offset}: a list of these only, at their offsets
     * in the file.
     */
    public static ExtentList page(FileNode file, long offset, int limit) {
        ExtentList page = new ExtentList(limit);
        long at = offset;
        while (page.count() < limit && at < file.length()) {
            add(file, at, page);
            at = page.length();
        }
        return page;
    }

    private static void add(FileNode file, long offset, ExtentList page) {
        FileNode owner = file;
        long at = offset;
        long shift = 0; // from offsets in the owner to those in the file
        Window tail = null; // the outermost one whose last extent this is
        Window window = owner.window();
        while (window != null && at < window.length()) {
            if (tail == null && at >= window.length() - window.tailLength()) {
                tail = window;
                at = window.length() - window.tailLength();
            }
            shift -= window.base();
            at += window.base();
            owner = window.lender();
            window = owner.window();
        }
        long before = window == null ? 0 : window.length();
        ExtentList own = owner.extents();
        int index = own.find(at - before);
        copy(own, index, shift + before + own.offset(index), tail, page);
    }

    private static void copy(
            ExtentList own, int index, long offset, @Nullable Window tail, ExtentList page) {
        page.append(
                offset,
                own.server(index),
                own.segment(index),
                own.record(index),
                own.blockLength(index),
                own.generation(index),
                tail == null ? own.length(index) : tail.tailLength(),
                tail == null ? own.tailCrc(index) : tail.tailCrc());
    }
}
