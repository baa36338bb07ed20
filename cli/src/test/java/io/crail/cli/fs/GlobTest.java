// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            textBlock =
                    """
                    * ; a,.a,a.b ; -
                    a* ; a,ab,a* ; b,ba
                    *.txt ; .txt,a.txt ; txt,a.txt2
                    a?c ; abc,a?c,aéc,a😀c ; ac,abbc
                    [abc] ; a,c ; d,ab
                    [a-c]x ; ax,cx ; dx,-x
                    [^a-c] ; d,- ; a,b
                    [!a] ; b,^ ; a
                    []] ; ] ; [
                    [a-] ; a,- ; b
                    [\\]] ; ] ; \\
                    {a,bc}d ; ad,bcd ; bd,acd
                    {a,{b,c}*} ; a,b,cx ; d,ax
                    a{,b} ; a,ab ; b
                    a\\* ; a* ; ab,a\\b
                    a.b+(c)|$ ; a.b+(c)|$ ; axb+(c)|$,a.bb(c)|$
                    a,b ; a,b ; a
                    a}b ; a}b ; ab
                    """)
    void namesMatchAsTheyDoInHadoop(String pattern, String matching, String others)
            throws InvalidArgumentException {
        GlobName name = GlobName.parse(pattern, pattern);
        for (String match : pattern.equals("a,b") ? List.of("a,b") : split(matching)) {
            assertThat(name.matches(match)).as(match).isTrue();
        }
        for (String other : others.equals("-") ? List.<String>of() : split(others)) {
            assertThat(name.matches(other)).as(other).isFalse();
        }
    }

    private static List<String> split(String names) {
        return List.of(names.split(",", -1));
    }

    @Test
    void aNameWithoutChoiceIsLookedUpAndNotSearched() throws InvalidArgumentException {
        Glob glob = Glob.parse("/a\\*b/*/c");
        assertThat(glob.ways()).hasSize(1);
        assertThat(glob.ways().get(0))
                .extracting(GlobName::literal)
                .containsExactly("a*b", null, "c");
    }

    @Test
    void bracesReachOverASlash() throws InvalidArgumentException {
        Glob glob = Glob.parse("/x/{a/b,{c,d}/e,f}/g{h,i}");
        assertThat(glob.ways())
                .extracting(names -> names.stream().map(GlobName::literal).toList().subList(0, 2))
                .containsExactly(List.of("x", "a"), Arrays.asList("x", null), List.of("x", "f"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a[", "/[a", "/{a", "/{a/b", "/a\\", "/[z-a]", "a*", "/[\\"})
    void nonsenseIsRefusedWithThePattern(String pattern) {
        assertThatThrownBy(() -> Glob.parse(pattern))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(pattern);
    }

    @Test
    void thePathsThatOnePatternMeansAreBounded() {
        assertThatThrownBy(() -> Glob.parse("/" + "{a/,b/}".repeat(11)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("1024");
    }

    @Test
    void onlyWhatMayMeanSomethingElseIsAPattern() {
        assertThat(List.of("/a*", "/?", "/[a]", "/{a,b}", "/a\\b")).allMatch(Glob::isPattern);
        assertThat(List.of("/", "/a", "/a]b", "/a,b}", "/.^$+")).noneMatch(Glob::isPattern);
    }
}
