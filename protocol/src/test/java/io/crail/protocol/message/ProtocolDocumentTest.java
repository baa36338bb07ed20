// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.ErrorCode;
import io.crail.protocol.golden.GoldenField;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/protocol.md against the code and the golden vectors. */
class ProtocolDocumentTest {
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| (.*?) \\| .* \\|");

    private final List<String> document = read();

    private static List<String> read() {
        String home = System.getProperty("crail.home", "..");
        try {
            return Files.readAllLines(Path.of(home, "docs", "protocol.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<MessageCodec> codecs() {
        return MessageCodec.all().stream();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void tableOfAMessageHasItsFieldsInOrder(MessageCodec codec) {
        LinkedHashSet<String> expected = new LinkedHashSet<>();
        for (GoldenField field : codec.golden().fields()) {
            expected.add(field.name().replaceAll("[.\\[].*", ""));
        }
        assertThat(table(codec).stream().map(row -> row.get(0)))
                .as("fields of the %s in docs/protocol.md", codec)
                .containsExactlyElementsOf(expected);
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void tableOfAMessageHasTheTypesOfItsFields(MessageCodec codec) {
        List<GoldenField> fields = codec.golden().fields();
        for (List<String> row : table(codec)) {
            String stated = row.get(1);
            fields.stream()
                    .filter(field -> field.name().equals(row.get(0)))
                    .forEach(
                            field ->
                                    assertThat(stated)
                                            .as("type of %s of the %s", field.name(), codec)
                                            .matches(pattern(field.type())));
        }
    }

    private static String pattern(String type) {
        return switch (type) {
            case "record" -> "`NodeStatus`";
            case "records" -> "records of `\\w+`";
            case "list" -> "list of `\\w+`";
            default -> "`" + type + "`";
        };
    }

    /** The rows (field, type) behind "Request:" or "Reply:" in the section of a message. */
    private List<List<String>> table(MessageCodec codec) {
        String heading = "### " + codec.type().name() + " (" + codec.type().wire() + ")";
        int section = document.indexOf(heading);
        assertThat(section).as("docs/protocol.md has a heading '%s'", heading).isNotNegative();
        String part = codec.record().getSimpleName();
        int line = section + 1;
        while (!document.get(line).startsWith(part + ":")) {
            assertThat(document.get(line)).as("end of '%s'", heading).doesNotStartWith("##");
            line++;
        }
        List<List<String>> rows = new ArrayList<>();
        if (document.get(line).equals(part + ":")) {
            for (line += 4; document.get(line).startsWith("|"); line++) {
                Matcher row = ROW.matcher(document.get(line));
                assertThat(row.matches()).as(document.get(line)).isTrue();
                rows.add(List.of(row.group(1), row.group(2)));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void mutationsAreMarked(MessageType type) {
        String heading = "### " + type.name() + " (" + type.wire() + ")";
        String text = document.get(document.indexOf(heading) + 2);
        assertThat(text.contains(" mutation.")).as(text).isEqualTo(type.isMutation());
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyErrorCodeIsInTheTable(ErrorCode code) {
        assertThat(document)
                .anyMatch(
                        line -> line.startsWith("| " + code.wire() + " | `" + code.name() + "` |"));
    }

    @Test
    void everyLinkWithinTheDocumentLeadsToAHeading() {
        List<String> anchors =
                document.stream()
                        .filter(line -> line.startsWith("#"))
                        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                        .map(line -> line.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                        .toList();
        Pattern link = Pattern.compile("]\\(#([^)]*)\\)");
        for (String line : document) {
            Matcher matcher = link.matcher(line);
            while (matcher.find()) {
                assertThat(anchors).contains(matcher.group(1));
            }
        }
    }
}
