// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The code in the guides is the code that the tests of this package run. */
class GuideCodeTest {
    private static final Path HOME = Path.of(System.getProperty("crail.home", ".."));
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern SNIPPET =
            Pattern.compile("(?ms)^ *// snippet: [\\w -]+\\n(.*?)^ *// end$");

    record Guide(Path path, List<String> blocks) {
        @Override
        public String toString() {
            return HOME.relativize(path).toString();
        }
    }

    static List<Guide> guides() {
        List<Path> paths = new ArrayList<>(List.of(HOME.resolve("README.md")));
        try (Stream<Path> docs = Files.list(HOME.resolve("docs"))) {
            docs.filter(path -> path.toString().endsWith(".md")).sorted().forEach(paths::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return paths.stream()
                .map(path -> new Guide(path, find(BLOCK, path)))
                .filter(guide -> !guide.blocks().isEmpty())
                .toList();
    }

    private static List<String> snippets() {
        List<String> snippets = new ArrayList<>();
        Path ofSpark =
                HOME.resolve("spark-shuffle/src/test/java/io/crail/spark/SparkGuideTest.java");
        Path sources = HOME.resolve("system-tests/src/test/java/io/crail/system/docs");
        try (Stream<Path> files = Files.list(sources)) {
            Stream.concat(files, Stream.of(ofSpark))
                    .forEach(file -> snippets.addAll(find(SNIPPET, file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return snippets;
    }

    private static List<String> find(Pattern pattern, Path file) {
        try {
            Matcher matcher = pattern.matcher(Files.readString(file));
            List<String> found = new ArrayList<>();
            while (matcher.find()) {
                // A last, empty line would count as one without indentation.
                found.add(matcher.group(1).stripTrailing().stripIndent());
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("guides")
    void everyCodeBlockIsATestedSnippet(Guide guide) {
        assertThat(snippets()).containsAll(guide.blocks());
    }

    @Test
    void everySnippetIsShownSomewhere() {
        List<String> shown = guides().stream().flatMap(guide -> guide.blocks().stream()).toList();
        assertThat(shown).containsAll(snippets());
    }

    @Test
    void apiGuideShowsCode() {
        assertThat(guides()).anyMatch(guide -> guide.toString().equals("docs/api.md"));
    }
}
