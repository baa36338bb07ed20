// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.BlockLocation;
import io.crail.error.CancelledException;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.NoSuchNodeException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import io.crail.spark.store.LostOutputs;
import io.crail.spark.store.MapOutputLocation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.shuffle.FetchFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a task asks and throws when an output cannot be read. */
class LossSurveyTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final TimeoutException timeout = new TimeoutException("not within 30000 ms");

    private final List<MapBlocks> outputs =
            IntStream.range(0, 300).mapToObj(LossSurveyTest::output).toList();

    /** Outputs that are here are not named. */
    private final Map<Integer, CompletableFuture<List<BlockLocation>>> answers = new HashMap<>();

    private final List<Integer> asked = new ArrayList<>();
    private final List<LostOutputs> told = new ArrayList<>();

    private static MapBlocks output(int map) {
        return new MapBlocks(MapOutputLocation.of(0, map), map, map, 0, 1, 10);
    }

    private static CompletableFuture<List<BlockLocation>> at(boolean lost) {
        return CompletableFuture.completedFuture(
                List.of(new BlockLocation(0, 10, 1, "host", "host:1", "", 0, lost)));
    }

    private Future<List<BlockLocation>> answer(MapBlocks output) {
        asked.add(output.mapIndex());
        return answers.getOrDefault(output.mapIndex(), at(false));
    }

    private LossSurvey survey(Duration longest) {
        return new LossSurvey(this::answer, new TaskWait(new TempShuffleReadMetrics()), longest);
    }

    private IOException failure(Duration longest, Throwable cause) throws IOException {
        return new ReadFailure(0, outputs, () -> survey(longest), told::add)
                .of(outputs.get(7), 0, cause);
    }

    private List<Integer> lost() {
        return told.stream()
                .flatMap(each -> each.outputs().stream())
                .map(LostOutputs.Output::mapIndex)
                .toList();
    }

    @Test
    void theDriverHearsOfAllThatAreLost() {
        answers.put(7, at(true));
        answers.put(0, CompletableFuture.failedFuture(new NoSuchNodeException("gone")));
        answers.put(299, CompletableFuture.failedFuture(new ServerLostException("gone")));
        assertThatThrownBy(() -> failure(LONG, new ServerLostException("gone")))
                .isInstanceOf(FetchFailedException.class);
        assertThat(lost()).containsExactly(7, 0, 299);
        assertThat(asked).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void whenNobodyAnswersNothingElseIsAskedAndNoOutputIsGivenUp() throws IOException {
        answers.put(7, CompletableFuture.failedFuture(timeout));
        assertThat(failure(LONG, timeout))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("of shuffle 0")
                .hasMessageContaining("namenode does not answer")
                .hasMessageContaining("spark.crail.namenodes");
        assertThat(asked).containsExactly(7);
        assertThat(told).isEmpty();
    }

    @Test
    void theTimeIsThatOfAllQuestions() throws IOException {
        CompletableFuture<List<BlockLocation>> never = new CompletableFuture<>();
        answers.put(7, never);
        assertThat(failure(Duration.ZERO, timeout)).hasMessageContaining("does not answer");
        assertThat(never).isCancelled();
        assertThat(asked).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"TIMEOUT", "CLOSED", "BUSY", "SESSION_EXPIRED"})
    void theFirstThatGetsNoAnswerIsTheLast(ErrorCode code) {
        answers.put(3, at(true));
        answers.put(5, CompletableFuture.failedFuture(CrailException.of(code, "no")));
        CompletableFuture<List<BlockLocation>> never = new CompletableFuture<>();
        answers.put(20, never);
        assertThatThrownBy(() -> failure(LONG, new ServerLostException("gone")))
                .isInstanceOf(FetchFailedException.class);
        assertThat(lost()).containsExactly(3);
        assertThat(asked).hasSizeLessThan(80);
        assertThat(never).isCancelled();
    }

    @Test
    void aServerThatHangsCostsTheOutputIfTheNamenodeAnswers() {
        assertThatThrownBy(() -> failure(LONG, timeout)).isInstanceOf(FetchFailedException.class);
        assertThat(told).isEmpty();
    }

    @Test
    void anOutputThatIsKnownToBeWrongIsMadeAgainWhoeverAnswers() {
        answers.put(7, CompletableFuture.failedFuture(timeout));
        for (Exception each :
                List.of(
                        new CorruptDataException("wrong"),
                        new ServerLostException("gone"),
                        new NoSuchNodeException("gone"),
                        new IOException("unknown"))) {
            assertThatThrownBy(() -> failure(LONG, each)).isInstanceOf(FetchFailedException.class);
        }
    }

    @Test
    void aTaskThatEndsAsksNothing() throws IOException {
        CancelledException cancelled = new CancelledException("interrupted");
        assertThat(failure(LONG, cancelled)).isSameAs(cancelled);
        assertThat(asked).isEmpty();
    }
}
