// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.terminal.Console;
import io.crail.protocol.message.Statistics;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenTest {
    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    private static Screen screen(boolean colours) {
        return new Screen(
                new Console(
                        InputStream.nullInputStream(),
                        NOWHERE,
                        NOWHERE,
                        colours,
                        colours,
                        colours));
    }

    private static Activity activity(double value, Statistics.ServerCapacity... servers) {
        OptionalDouble some = OptionalDouble.of(value);
        Snapshot now =
                new Snapshot(
                        0,
                        Optional.of(ActivityTest.statistics(servers)),
                        "",
                        Snapshot.Page.of(
                                MetricText.parse(
                                        "crail_namenode_log_lag_records{behind=\"disk\"} 7\n")),
                        Map.of());
        return new Activity(
                1,
                now,
                IntStream.range(0, 12)
                        .mapToObj(
                                i -> new Activity.Calls("register_segment" + i, value, some, some))
                        .toList(),
                some,
                some,
                some,
                List.of(servers).stream()
                        .map(each -> new Activity.Server(each, some, some, some, some, ""))
                        .toList());
    }

    private static Statistics.ServerCapacity huge(int id, int state) {
        long huge = Long.MAX_VALUE;
        return new Statistics.ServerCapacity(
                id, state, "h", 255, huge, huge, huge, huge, huge, huge, huge, huge, huge, "", "");
    }

    @Test
    void everyLineFitsWhateverTheNumbers() {
        Statistics.ServerCapacity[] servers = {
            huge(1_000_000, 2), huge(2, 1), huge(3, 3), huge(4, 4), huge(5, 77)
        };
        List<String> lines = screen(false).lines(activity(1e18, servers));
        assertThat(lines).allMatch(line -> line.length() <= Screen.COLUMNS);
        assertThat(lines).anyMatch(line -> line.contains("draining"));
        assertThat(lines).anyMatch(line -> line.startsWith("others"));
        assertThat(lines).anyMatch(line -> line.contains("not on disk 7"));
    }

    @Test
    void coloursAreForTerminals() {
        Activity activity = activity(1, huge(1, 4));
        assertThat(screen(true).lines(activity))
                .anyMatch(line -> line.contains("\u001b[31;1mdead"));
        assertThat(screen(false).lines(activity)).noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    void aNamenodeThatDoesNotAnswerIsTold() {
        Snapshot lost =
                new Snapshot(
                        0,
                        Optional.empty(),
                        "refused\u001b[2J",
                        Snapshot.Page.missing(""),
                        Map.of());
        assertThat(screen(false).lines(Activity.between(lost, lost)))
                .containsExactly("namenode not reachable: refused?[2J");
    }

    @Test
    void allOfTheReasonIsReadWhateverItsLength() {
        String reason = "read statistics did not finish; ".repeat(5) + "does it run?";
        Snapshot lost =
                new Snapshot(0, Optional.empty(), reason, Snapshot.Page.missing(""), Map.of());
        List<String> lines = screen(false).lines(Activity.between(lost, lost));
        assertThat(lines).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 80);
        assertThat(String.join(" ", lines)).isEqualTo("namenode not reachable: " + reason);
    }

    @Test
    void aServerThatDoesNotAnswerIsToldWithTheReason() {
        Snapshot now =
                new Snapshot(
                        0,
                        Optional.of(ActivityTest.statistics(ActivityTest.SERVER)),
                        "",
                        Snapshot.Page.missing("it shows no status"),
                        Map.of(4, Snapshot.Page.missing("does not answer in time")));
        assertThat(screen(false).lines(Activity.between(now, now)))
                .anyMatch(line -> line.matches(" +4 +no answer +- +- +- +10 +20 +10 +10 +-"))
                .contains("4: does not answer in time", "no requests shown: it shows no status");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1023, 1023",
        "9999, 9999",
        "10240, 10.0K",
        "1048576, 1.0M",
        "104857600, 100M",
        "9223372036854775807, 8.0E"
    })
    void sizesAreShort(long bytes, String text) {
        assertThat(Screen.compact(bytes)).isEqualTo(text).hasSizeLessThan(6);
    }

    @Test
    void jsonHasNullForWhatIsNotKnown() {
        Snapshot lost =
                new Snapshot(0, Optional.empty(), "gone", Snapshot.Page.missing("x"), Map.of());
        assertThat(TopJson.of(Activity.between(lost, lost)))
                .containsEntry("error", "gone")
                .containsEntry("connections", null)
                .containsEntry("servers", List.of());
    }
}
