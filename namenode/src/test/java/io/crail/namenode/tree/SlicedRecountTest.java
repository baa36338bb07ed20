// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.namenode.index.NameHash;
import io.crail.namenode.inline.InlineMemory;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.node.NodeType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Sums made in slices against sums made at once. */
final class SlicedRecountTest {
    private final Tree tree =
            new Tree(
                    NameHash.of(new Random(1)),
                    new InlineMemory(1 << 20, "limit"),
                    new Attributes(0755, 0, true, "o", "g", ""));

    private static final int BLOCK = 4096;

    private long lastId = Tree.ROOT_ID;
    private int lastRecord;
    private int names;

    private ContainerNode directory(ContainerNode parent) {
        ContainerNode made =
                tree.newContainer(++lastId, NodeType.DIRECTORY, tree.root().attributes(), 0, 0);
        tree.link(parent, name(), made);
        return made;
    }

    private FileNode file(ContainerNode parent) {
        FileNode made = tree.newFile(++lastId, tree.root().attributes(), new ExtentList(), 0, 0);
        tree.link(parent, name(), made);
        return made;
    }

    /** In no order of the numbers. */
    private byte[] name() {
        String digits = new StringBuilder(Integer.toString(++names)).reverse().toString();
        return digits.getBytes(StandardCharsets.US_ASCII);
    }

    private String found(ContainerNode container) {
        return text(new TotalsRecount(tree).below(container));
    }

    private static String text(Totals sums) {
        return sums.directories() + " " + sums.files() + " " + sums.length() + " " + sums.byClass();
    }

    /** One change: something comes, goes, moves, grows, here or in a directory below. */
    private void change(ContainerNode top, List<Node> all, int step) {
        int what = step % 8;
        int number = step / 8;
        Node some = all.get(number % all.size());
        ContainerNode home =
                some instanceof ContainerNode container && what % 2 == 0 ? container : top;
        switch (what) {
            case 0, 1, 2 -> all.add(file(home));
            case 3 -> all.add(directory(top));
            case 4, 5 -> {
                if (!(some instanceof ContainerNode container && container.size() > 0)) {
                    tree.unlink(some);
                    all.remove(some);
                    all.add(file(top));
                }
            }
            case 6 -> {
                if (!(some instanceof ContainerNode)) {
                    tree.unlink(some);
                    tree.link(home, name(), some);
                }
            }
            default ->
                    tree.accounts()
                            .bytes(
                                    Objects.requireNonNull(some.parent()),
                                    some,
                                    grow(some, number),
                                    new ClassBytes());
        }
    }

    /** Files that have been made to have a length without blocks. */
    private static long grow(Node some, int by) {
        if (some instanceof FileNode file) {
            file.length += by;
            return by;
        }
        return 0;
    }

    @Property(tries = 300)
    void inTheEndTheyAreWhatTheyAreAtOnceWhateverChanges(
            @ForAll @Size(min = 1, max = 200) List<@IntRange(max = 9999) Integer> steps,
            @ForAll @IntRange(min = 1, max = 9) int slice) {
        ContainerNode top = directory(tree.root());
        List<Node> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(i % 10 == 0 ? directory(top) : file(top));
        }
        int completed = 0;
        for (int step : steps) {
            if (step % 3 > 0) {
                change(top, all, step);
                continue;
            }
            SlicedRecount recount = tree.recount(top);
            recount.goOn(slice);
            if (recount.isComplete()) {
                assertThat(text(recount.found())).isEqualTo(found(top)).isEqualTo(text(top.below));
                tree.endRecount(recount);
                completed++;
            }
        }
        SlicedRecount last = tree.recount(top);
        while (!last.isComplete()) {
            assertThat(last.goOn(slice)).isLessThanOrEqualTo(slice);
        }
        assertThat(text(last.found())).isEqualTo(found(top));
        assertThat(completed).isLessThanOrEqualTo(steps.size());
    }

    /** A file with so many blocks, on servers of several classes. */
    private FileNode longFile(ContainerNode parent, int blocks) {
        FileNode made = file(parent);
        append(made, blocks);
        return made;
    }

    private void append(FileNode file, int blocks) {
        tree.files()
                .changeExtents(
                        file,
                        file.version() + 1,
                        list -> {
                            for (int i = 0; i < blocks; i++) {
                                list.append(list.count() % 3, 0, i, BLOCK, 1, BLOCK, 0);
                            }
                        });
    }

    /** One change of a file, or of its blocks. */
    private void changeBlocks(ContainerNode top, List<FileNode> files, int step) {
        int number = step / 6;
        int index = number % files.size();
        FileNode some = files.get(index);
        int blocks = some.extents.count();
        switch (step % 6) {
            case 0 -> append(some, number % 50);
            case 1 -> {
                if (blocks > 0) {
                    FileNode rest =
                            tree.newFile(++lastId, some.attributes(), new ExtentList(), 0, 0);
                    long length = number % some.length();
                    tree.splicing().cut(some, rest, length, 7, some.version() + 1);
                }
            }
            case 2 -> {
                if (blocks > 0) {
                    BlockId to = new BlockId(number % 3, 1, ++lastRecord);
                    tree.moveExtent(some, number % blocks, to, BLOCK, 2);
                }
            }
            case 3 -> {
                tree.unlink(some);
                files.set(index, longFile(top, number % 60));
            }
            case 4 -> {
                tree.unlink(some);
                tree.link(top, name(), some);
            }
            default -> files.add(longFile(top, number % 60));
        }
    }

    @Property(tries = 300)
    void blocksOfFilesAreSummedInSlicesWhateverBecomesOfThem(
            @ForAll @Size(min = 1, max = 200) List<@IntRange(max = 99_999) Integer> steps,
            @ForAll @IntRange(min = 1, max = 30) int slice) {
        tree.setStorageClasses(server -> server, () -> true);
        ContainerNode top = directory(tree.root());
        List<FileNode> files = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            files.add(longFile(top, 15 * i));
        }
        for (int step : steps) {
            if (step % 2 > 0) {
                changeBlocks(top, files, step / 2);
                continue;
            }
            SlicedRecount recount = tree.recount(top);
            assertThat(recount.goOn(slice)).isLessThanOrEqualTo(slice);
            if (recount.isComplete()) {
                assertThat(text(recount.found())).isEqualTo(text(top.below));
                tree.endRecount(recount);
            }
        }
        SlicedRecount last = tree.recount(top);
        while (!last.isComplete()) {
            assertThat(last.goOn(slice)).isLessThanOrEqualTo(slice);
        }
        assertThat(text(last.found())).isEqualTo(found(top)).isEqualTo(text(top.below));
    }

    @Test
    void aFileOfManyBlocksTakesManySlices() {
        tree.setStorageClasses(server -> server, () -> true);
        ContainerNode top = directory(tree.root());
        FileNode file = longFile(top, 100_000);
        SlicedRecount recount = tree.recount(top);
        int slices = 0;
        for (; !recount.isComplete(); slices++) {
            assertThat(recount.goOn(1000)).isBetween(1, 1000);
            append(file, 1);
        }
        assertThat(slices).isEqualTo(101); // One for the file, 100 for its blocks as they were.
        assertThat(text(recount.found())).isEqualTo(text(top.below)).isEqualTo(found(top));
        tree.endRecount(recount);
    }

    @Test
    void oneThatIsNotGoneOnWithGivesWayToNewOnes() {
        List<ContainerNode> many = new ArrayList<>();
        for (int i = 0; i <= Recounts.MOST; i++) {
            ContainerNode made = directory(tree.root());
            file(made);
            file(made);
            many.add(made);
        }
        for (ContainerNode container : many) {
            assertThat(tree.recount(container).goOn(1)).isEqualTo(1);
        }
        SlicedRecount kept = tree.recount(many.get(Recounts.MOST));
        assertThat(kept.counted()).isEqualTo(1);
        assertThat(tree.recount(many.get(0)).counted()).isZero();
    }
}
