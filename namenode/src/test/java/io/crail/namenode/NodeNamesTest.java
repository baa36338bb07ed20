// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.Rename;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which names there may be, and how they are listed. */
final class NodeNamesTest extends OneNamenode {
    @Test
    void namesOfEqualJavaHashAreDifferentNodes() throws IOException {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        long first = session.touch("/Aa").id();
        long second = session.touch("/BB").id();
        assertThat(first).isNotEqualTo(second);
        assertThat(session.lookup("/Aa").id()).isEqualTo(first);
        session.table("/t");
        session.put("/t", "Aa", "1");
        session.put("/t", "BB", "2");
        assertThat(session.get("/t", "Aa")).isEqualTo("1");
        assertThat(session.get("/t", "BB")).isEqualTo("2");
    }

    @Test
    void aNameHasAtMost255Bytes() throws IOException {
        String longest = "/" + "n".repeat(255);
        session.touch(longest);
        assertThat(session.lookup(longest).type()).isEqualTo(NodeType.FILE);
        assertThat(session.list("/")).containsExactly("n".repeat(255));
        String twoBytes = "\u00e4".repeat(128);
        for (String wrong : List.of("n".repeat(256), twoBytes, "n".repeat(600))) {
            assertThatThrownBy(() -> session.touch("/" + wrong))
                    .isInstanceOf(InvalidNameException.class);
            assertThatThrownBy(() -> session.rename(longest, "/" + wrong, 0))
                    .isInstanceOf(InvalidNameException.class);
        }
        assertThat(session.list("/")).hasSize(1);
    }

    @Test
    void dotsAreNoNames() {
        for (String wrong : List.of("/.", "/..", "/a/../b", "/./a", "/a/.")) {
            assertThatThrownBy(() -> session.lookup(wrong))
                    .isInstanceOf(InvalidNameException.class);
            assertThatThrownBy(() -> session.create(wrong, NodeType.FILE, Create.PARENTS, 0))
                    .isInstanceOf(InvalidNameException.class);
        }
    }

    @Test
    void namesThatBeginWithDotsAreNames() throws IOException {
        session.touch("/.a");
        session.touch("/...");
        assertThat(session.list("/")).containsExactly("...", ".a");
    }

    @Test
    void aPathIsAbsolute() {
        for (String wrong : List.of("", "a", "a/b")) {
            assertThatThrownBy(() -> session.lookup(wrong))
                    .isInstanceOf(InvalidNameException.class);
            assertThatThrownBy(() -> session.touch(wrong)).isInstanceOf(InvalidNameException.class);
        }
    }

    @Test
    void namesThatAreNotUtf8OrHoldNulAreRefused() throws IOException {
        byte[][] wrong = {
            {'/', (byte) 0xFF}, {'/', (byte) 0xC3}, {'/', (byte) 0xC0, (byte) 0x80}, {'/', 'a', 0}
        };
        for (byte[] path : wrong) {
            assertThatThrownBy(() -> createRaw(path)).isInstanceOf(InvalidNameException.class);
        }
        session.touch("/a");
        assertThatThrownBy(
                        () ->
                                session.wire()
                                        .call(
                                                new Rename.Request(
                                                        TestSession.bytes("/a"), wrong[0], 0),
                                                Rename.Reply::decode))
                .isInstanceOf(InvalidNameException.class);
        assertThat(session.list("/")).containsExactly("a");
    }

    private void createRaw(byte[] path) throws IOException {
        session.wire()
                .call(
                        new Create.Request(
                                path,
                                NodeType.FILE,
                                0,
                                0,
                                Create.INHERIT,
                                -1,
                                0,
                                false,
                                "",
                                "",
                                ""),
                        Create.Reply::decode);
    }

    @Test
    void extraSlashesDoNotMatter() throws IOException {
        session.create("//a///b//", NodeType.DIRECTORY, Create.PARENTS, 0);
        assertThat(session.lookup("/a/b").id()).isEqualTo(session.lookup("/a//b/").id());
        session.rename("/a//b/", "//c//", 0);
        assertThat(session.list("/")).containsExactly("a", "c");
    }

    @Test
    void pathsAreAtMost512NamesDeep() throws IOException {
        String deepest = "/d".repeat(512);
        session.create(deepest, NodeType.DIRECTORY, Create.PARENTS, 0);
        assertThat(session.lookup(deepest).type()).isEqualTo(NodeType.DIRECTORY);
        assertThatThrownBy(() -> session.mkdir(deepest + "/d"))
                .isInstanceOf(InvalidNameException.class);
        assertThat(session.summary("/").directories()).isEqualTo(513);
        session.delete("/d", true);
        namenode.settle();
        assertThat(session.summary("/").directories()).isEqualTo(1);
    }

    @Test
    void aPathHasAtMost4096Bytes() {
        String path = ("/" + "n".repeat(250)).repeat(17);
        assertThatThrownBy(() -> session.create(path, NodeType.FILE, Create.PARENTS, 0))
                .isInstanceOf(CrailException.class);
    }

    @Test
    void aListingIsInOrderOfUnsignedBytesWithAttributes() throws IOException {
        List<String> names = List.of("z", "\u00e4", "a", "B", "\uD83D\uDE00", "aa", "\uFFFD");
        TreeSet<byte[]> sorted = new TreeSet<>(java.util.Arrays::compareUnsigned);
        for (String name : names) {
            session.touch("/" + name);
            sorted.add(name.getBytes(StandardCharsets.UTF_8));
        }
        List<String> expected = new ArrayList<>();
        sorted.forEach(name -> expected.add(new String(name, StandardCharsets.UTF_8)));
        assertThat(session.list("/")).isEqualTo(expected);
        ListEntries.Entry first = session.page("/", TestSession.NOTHING, 1).entries().get(0);
        assertThat(first.status()).isEqualTo(session.lookup("/" + expected.get(0)));
    }

    @Test
    void pagesShowEntriesThatStayExactlyOnceWhileOthersComeAndGo() throws IOException {
        session.mkdir("/d");
        for (int i = 0; i < 200; i++) {
            session.touch("/d/stay%03d".formatted(i));
            session.touch("/d/go%03d".formatted(i));
        }
        List<String> seen = new ArrayList<>();
        byte[] cursor = TestSession.NOTHING;
        boolean more = true;
        for (int i = 0; more; i++) {
            ListEntries.Reply page = session.page("/d", cursor, 7);
            for (ListEntries.Entry entry : page.entries()) {
                seen.add(new String(entry.name(), StandardCharsets.UTF_8));
                cursor = entry.name();
            }
            more = page.more();
            session.touch("/d/new%03d".formatted(i));
            session.delete("/d/go%03d".formatted(i), false);
        }
        assertThat(seen).doesNotHaveDuplicates().isSorted();
        assertThat(seen.stream().filter(name -> name.startsWith("stay"))).hasSize(200);
    }

    @Test
    void aPageFitsAFrameHoweverLongItsNames() throws IOException {
        session.mkdir("/d");
        for (int i = 0; i < 1100; i++) {
            session.touch("/d/" + "%04d".formatted(i) + "x".repeat(251));
        }
        ListEntries.Reply page = session.page("/d", TestSession.NOTHING, 65_535);
        assertThat(page.more()).isTrue();
        assertThat(page.entries()).hasSizeGreaterThan(100);
        assertThat(session.list("/d")).hasSize(1100);
    }

    @Test
    void anEmptyPageOfAnEmptyDirectoryIsTheLast() throws IOException {
        session.mkdir("/d");
        assertThat(session.page("/d", TestSession.NOTHING, 10))
                .isEqualTo(new ListEntries.Reply(false, List.of()));
        session.touch("/f");
        session.table("/t");
        assertThatThrownBy(() -> session.list("/f")).isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.list("/t")).isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.list("/x")).isInstanceOf(NoSuchNodeException.class);
    }
}
