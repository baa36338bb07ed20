// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.terminal.JsonLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMDCAdapter;

class JsonLinesTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final BasicMDCAdapter context = new BasicMDCAdapter();
    private final Clock clock =
            Clock.fixed(Instant.parse("2024-05-06T07:08:09.120Z"), ZoneOffset.ofHours(5));
    private final Logger logger =
            new JsonLogger("a.B", Level.INFO, new JsonLines(out, clock, context, "storage"));

    private List<Map<String, Object>> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().map(JsonLine::parse).toList();
    }

    @Test
    void anEventIsALineWithItsFieldsInUtc() {
        logger.warn("x {} of {}", 1, "y\"\n\u0001");
        assertThat(lines())
                .containsExactly(
                        Map.of(
                                "timestamp", "2024-05-06T07:08:09.120Z",
                                "level", "WARN",
                                "logger", "a.B",
                                "thread", Thread.currentThread().getName(),
                                "message", "x 1 of y\"\n\u0001",
                                "role", "storage"));
    }

    @Test
    void exceptionsAreOneFieldWithTheirStack() {
        logger.error("failed {}", "here", new IllegalStateException("why\nso"));
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0).get("message")).isEqualTo("failed here");
        assertThat(String.valueOf(lines().get(0).get("exception")))
                .startsWith("java.lang.IllegalStateException: why\nso")
                .contains("JsonLinesTest");
    }

    @Test
    void whatIsKnownOfTheEventIsInFieldsOfItsOwn() {
        context.put("server", "3");
        context.put("level", "mine");
        logger.atInfo().addKeyValue("session", 7).addKeyValue("message", "m").log("hello");
        assertThat(lines().get(0))
                .containsEntry("server", "3")
                .containsEntry("session", 7L)
                .containsEntry("message", "hello")
                .containsEntry("message_", "m")
                .containsEntry("level", "INFO")
                .containsEntry("level_", "mine");
    }

    @Test
    void whatIsBelowTheLevelIsNotWritten() {
        logger.debug("quiet");
        logger.atTrace().log("quiet");
        assertThat(logger.isDebugEnabled()).isFalse();
        assertThat(out.size()).isZero();
    }

    @Test
    void aLogThatNobodyTakesEndsNothing() {
        OutputStream closed =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("gone");
                    }
                };
        new JsonLogger("a", Level.INFO, new JsonLines(closed, clock, context, "")).info("x");
        assertThat(closed).isNotNull();
    }
}
