// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/invariants.md and docs/predecessor.md name tests that exist. */
class InvariantsDocumentTest {
    private static final Path HOME = Path.of(System.getProperty("crail.home", ".."));
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)#(\\w+)`");

    private static String document() throws IOException {
        return document("invariants.md");
    }

    private static String document(String name) throws IOException {
        return Files.readString(HOME.resolve("docs").resolve(name));
    }

    /** Sources of all tests by class name; classes of one name in several packages together. */
    private static Map<String, String> tests() throws IOException {
        Map<String, String> tests = new HashMap<>();
        try (Stream<Path> modules = Files.list(HOME)) {
            List<Path> sources =
                    modules.map(module -> module.resolve("src/test/java"))
                            .filter(Files::isDirectory)
                            .toList();
            for (Path source : sources) {
                try (Stream<Path> files = Files.walk(source)) {
                    for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                        String name = ("" + file.getFileName()).replace(".java", "");
                        tests.merge(name, Files.readString(file), String::concat);
                    }
                }
            }
        }
        return tests;
    }

    @Test
    void namesTestsThatExist() throws IOException {
        checkTestsOf(document(), 50);
        checkTestsOf(document("predecessor.md"), 34);
    }

    @Test
    void namesATestForEachFaultOfThePredecessor() throws IOException {
        List<String> rows =
                document("predecessor.md").lines().filter(line -> line.startsWith("| ")).toList();
        assertThat(rows).hasSize(1 + 34);
        assertThat(rows.subList(1, rows.size()))
                .allSatisfy(row -> assertThat(TEST.matcher(row).find()).as(row).isTrue());
    }

    private static void checkTestsOf(String document, int atLeast) throws IOException {
        Map<String, String> tests = tests();
        Matcher named = TEST.matcher(document);
        int count = 0;
        while (named.find()) {
            assertThat(tests).containsKey(named.group(1));
            assertThat(tests.get(named.group(1)))
                    .as("%s", named.group())
                    .contains("void " + named.group(2) + "(");
            count++;
        }
        assertThat(count).isGreaterThanOrEqualTo(atLeast);
    }

    @Test
    void hasASectionWithTestsForEachOfTheTwelve() throws IOException {
        String[] sections = document().split("(?m)^## ", -1);
        assertThat(sections).hasSize(13);
        for (int i = 1; i <= 12; i++) {
            assertThat(sections[i]).startsWith(i + ". ");
            assertThat(TEST.matcher(sections[i]).find()).as(sections[i]).isTrue();
        }
    }
}
