// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidNameException;
import io.crail.error.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static List<String> split(String path) throws InvalidNameException {
        String checked = new String(Names.encodePath(path), StandardCharsets.UTF_8);
        return Arrays.stream(checked.split("/")).filter(name -> !name.isEmpty()).toList();
    }

    private static void refused(String path) {
        assertThatThrownBy(() -> Names.encodePath(path)).isInstanceOf(InvalidNameException.class);
    }

    @Test
    void pathsAreSplitAtSlashes() throws InvalidNameException {
        assertThat(split("/")).isEmpty();
        assertThat(split("/a")).containsExactly("a");
        assertThat(split("/a/b c/\u00fc")).containsExactly("a", "b c", "\u00fc");
        assertThat(split("//a///b//")).containsExactly("a", "b");
        assertThat(split("/.a/..b/...")).containsExactly(".a", "..b", "...");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a", "a/b", " /a", "/.", "/..", "/a/./b", "/a/../b", "/a/..", "/a\0b"})
    void pathsAgainstTheRulesAreRefused(String path) {
        refused(path);
    }

    @Test
    void unpairedSurrogateIsRefused() {
        refused("/\ud800");
        refused("/a\udc00b");
        refused("/?\ud800"); // which a plain encoder would make "/??"
        assertThatThrownBy(() -> Names.encode("\ud800")).isInstanceOf(InvalidNameException.class);
    }

    @Test
    void aCheckedPathIsItsUtf8() throws InvalidNameException {
        for (String path : List.of("/", "/a/b", "//a//", "/a?b", "/\u00fc/?", "/\ud83d\ude00")) {
            assertThat(Names.encodePath(path)).isEqualTo(path.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void namesMayHave255BytesOfUtf8() throws InvalidNameException {
        assertThat(split("/" + "x".repeat(255))).hasSize(1);
        assertThat(split("/" + "\u00fc".repeat(127))).hasSize(1);
        refused("/" + "x".repeat(256));
        refused("/" + "\u00fc".repeat(128));
        refused("/" + "x".repeat(600));
    }

    @Test
    void pathsMayHave4096Bytes() throws InvalidNameException {
        String longest = ("/" + "x".repeat(255)).repeat(16);
        assertThat(longest).hasSize(Names.MAX_PATH);
        assertThat(split(longest)).hasSize(16);
        refused(longest + "/");
    }

    @Test
    void pathsMayBe512NamesDeep() throws InvalidNameException {
        assertThat(split("/x".repeat(Names.MAX_DEPTH))).hasSize(Names.MAX_DEPTH);
        refused("/x".repeat(Names.MAX_DEPTH + 1));
    }

    @Test
    void namesWithEqualHashCodesStayApart() throws InvalidNameException {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        assertThat(split("/h/Aa")).isNotEqualTo(split("/h/BB"));
    }

    @Test
    void namesAreNotNormalised() throws InvalidNameException {
        assertThat(split("/\u00fc")).isNotEqualTo(split("/u\u0308"));
    }

    @Test
    void keysHave1To1024Bytes() {
        for (int length : new int[] {1, 255, 1024}) {
            assertThatCode(() -> Names.checkKey(length)).doesNotThrowAnyException();
        }
        for (int length : new int[] {-1, 0, 1025}) {
            assertThatThrownBy(() -> Names.checkKey(length))
                    .isInstanceOf(InvalidNameException.class);
        }
    }

    @Test
    void partOfAnArrayIsChecked() {
        byte[] bytes = "/ok/".getBytes(StandardCharsets.UTF_8);
        assertThatCode(() -> Names.checkName(bytes, 1, 2)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Names.checkName(bytes, 1, 3))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageContaining("byte 2");
    }

    @Test
    void messageOfALongPathIsShort() {
        assertThatThrownBy(() -> Names.encodePath("x".repeat(100_000)))
                .isInstanceOf(InvalidNameException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
    }

    @Property
    void joinedNamesComeBack(
            @ForAll @Size(max = 20)
                    List<
                                    @NotEmpty @StringLength(max = 60)
                                    @CharRange(from = 'a', to = '\u05ff') String>
                            names)
            throws InvalidNameException {
        String path = "/" + names.stream().collect(Collectors.joining("/"));
        assertThat(split(path)).isEqualTo(names);
    }

    @Property
    void anyPathHasGoodNamesOrIsRefused(@ForAll String path) {
        try {
            for (String name : split("/" + path)) {
                assertThat(name.getBytes(StandardCharsets.UTF_8))
                        .hasSizeBetween(1, Names.MAX_NAME)
                        .doesNotContain(0);
            }
        } catch (InvalidNameException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    @Test
    void nodeTypesKeepTheirCodes() throws ProtocolException {
        NodeType[] inOrder = {
            NodeType.DIRECTORY,
            NodeType.FILE,
            NodeType.MULTIFILE,
            NodeType.TABLE,
            NodeType.KEYVALUE,
            NodeType.STREAM
        };
        assertThat(NodeType.values()).containsExactly(inOrder);
        for (int i = 0; i < inOrder.length; i++) {
            assertThat(inOrder[i].wire()).isEqualTo(i + 1);
            assertThat(NodeType.ofWire(i + 1)).isEqualTo(inOrder[i]);
        }
        for (int unknown : new int[] {-1, 0, 7, 255}) {
            assertThatThrownBy(() -> NodeType.ofWire(unknown))
                    .isInstanceOf(ProtocolException.class);
        }
    }
}
