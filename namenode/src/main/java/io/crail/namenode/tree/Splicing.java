// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import org.jspecify.annotations.Nullable;

/**
 * Joining and cutting files without moving bytes, while others read them.
 *
 * <p><b>Every block has one owner.</b> An extent is in exactly one list, of the file that will free
 * it. Joining moves the sources' extents to the target; cutting moves what lies behind the new end
 * to another file, the <i>rest</i>, which takes the file's readers. Where a reader's file no longer
 * owns all that was opened, it gets a {@link Window}: its first bytes lie in extents of a
 * <i>lender</i>.
 *
 * <ul>
 *   <li>A source that is open keeps its length, and has a window to the target from where its bytes
 *       begin there. A window to the source is moved to the target as well.
 *   <li>The rest has the old length. It owns what was cut off, and has a window to the file for
 *       what lies before: for the block that was cut, too, which the file owns, as the file needs
 *       it for longer. The window remembers how much of it there was. A window to the file that
 *       needs something that the file has no longer is moved to the rest, which has all that there
 *       was, at the same place.
 * </ul>
 *
 * <p><b>Why a block is freed once, and not too early.</b> Once: its owner frees it when it goes,
 * and there is one. Not too early: a lender counts a window like a reader, so a lender that loses
 * its name stays until the window's file has gone; and what has a name and lends may lose extents
 * by being cut only, or all of them by being joined, and both move the windows that need them.
 * Those who have a window are unlinked: they go with their last handle, at the latest when the
 * retention of unlinked files is over, and then what they held up goes, too. Windows of windows
 * come from cutting one file again and again; a chain always leads to younger files, and so ends.
 *
 * <p><b>Why the bytes stay.</b> Committed bytes of a block never change, and what a writer puts
 * behind them in the last block belongs to nobody who read before. A cut block breaks this: bytes
 * behind the new end were committed. So a file that was cut is sealed, which makes the next writer
 * begin a new block; and as the last extent is seen by a window with the length and checksum that
 * it had, it may be cut, or grow where joined files are continued. Only whoever copies blocks
 * elsewhere must not forget the bytes behind a cut: see {@link #isSeenLonger}.
 */
public final class Splicing {
    private final Tree tree;

    Splicing(Tree tree) {
        this.tree = tree;
    }

    /** Moves all extents of a file that has no name any more to the end of another one. */
    public void append(FileNode target, FileNode source, long version) {
        tree.touch(source);
        ExtentList moved = source.extents;
        long base = target.length;
        Window window = moved.count() == 0 ? null : upTo(target, base, moved, moved.count());
        tree.files().changeExtents(target, version, list -> list.appendAll(moved));
        for (FileNode borrower : source.borrowers()) {
            Window old = windowOf(borrower);
            setWindow(borrower, old.in(target, base + old.base()));
        }
        if (window != null) {
            target.sealed = source.sealed;
            if (source.readers > 0) {
                setWindow(source, window);
            }
        }
        moved.truncate(0);
        source.allocated = 0;
    }

    /** A window to a lender that ends with one of the extents of a list. */
    private static Window upTo(FileNode lender, long base, ExtentList list, int extents) {
        int last = extents - 1;
        long length = list.offset(last) + list.length(last);
        return new Window(lender, base, length, list.length(last), list.tailCrc(last));
    }

    /**
     * Cuts a file, and makes another one what it was, for those who need it.
     *
     * @param rest new, empty, without a name
     * @param length less than that of the file
     * @param tailCrc of its last extent, if that is cut
     */
    public void cut(FileNode file, FileNode rest, long length, int tailCrc, long version) {
        tree.touch(file);
        ExtentList list = file.extents;
        int kept = length == 0 ? 0 : list.find(length - 1) + 1;
        boolean within = kept > 0 && list.offset(kept - 1) + list.length(kept - 1) > length;
        long changed = list.offset(within ? kept - 1 : kept);
        ClassBytes gone = new ClassBytes();
        gone.add(tree.classes().of(list, kept, list.count()), -1);
        rest.formerIdOf(file);
        rest.extents.append(list, kept, list.count());
        if (kept > 0) {
            setWindow(rest, upTo(file, 0, list, kept));
        }
        rest.length = file.length;
        rest.allocated = rest.extents.allocated();
        rest.version = file.version;
        list.truncate(kept);
        if (within) {
            list.cutLast((int) (length - changed), tailCrc);
        }
        for (FileNode borrower : file.borrowers()) {
            Window old = windowOf(borrower);
            if (borrower != rest && old.tailOffset() >= changed) {
                setWindow(borrower, old.in(rest, old.base()));
            }
        }
        if (file.parent != null) {
            tree.accounts().bytes(file.parent, file, length - file.length, gone);
        }
        file.length = length;
        file.allocated = list.allocated();
        file.version = version;
        file.sealed = kept > 0;
    }

    private static Window windowOf(FileNode borrower) {
        Window window = borrower.window();
        if (window == null) {
            throw new IllegalStateException("file " + borrower.id + " has no window");
        }
        return window;
    }

    private void setWindow(FileNode file, @Nullable Window window) {
        tree.touch(file);
        Window old = file.window();
        if (old != null) {
            old.lender().sharing().borrowers.remove(file);
        }
        file.sharing().window = window;
        if (window != null) {
            window.lender().sharing().borrowers.add(file);
        }
    }

    /**
     * Takes the window of a file that goes.
     *
     * @return the lender, which perhaps has no other reason to stay; null if there was no window
     */
    public @Nullable FileNode close(FileNode file) {
        Window window = file.window();
        if (window == null) {
            return null;
        }
        setWindow(file, null);
        file.length = file.extents.length();
        return window.lender();
    }

    /**
     * Whether a reader needs more of an extent than its owner has: a copy of what the owner has
     * must not take its place.
     */
    public static boolean isSeenLonger(FileNode file, int index) {
        for (FileNode borrower : file.borrowers()) {
            Window window = windowOf(borrower);
            if (window.tailOffset() == file.extents.offset(index)
                    && window.tailLength() > file.extents.length(index)) {
                return true;
            }
        }
        return false;
    }

    /** Makes a file of a snapshot what it was; its own extents are complete. */
    public void restore(FileNode file, @Nullable Window window, long formerId) {
        setWindow(file, window);
        file.sharing().formerId = formerId;
        file.length = (window == null ? 0 : window.length()) + file.extents.length();
    }
}
