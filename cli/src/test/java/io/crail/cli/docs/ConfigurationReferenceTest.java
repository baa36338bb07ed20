// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.docs;

import io.crail.protocol.config.ConfigKey;
import io.crail.protocol.config.CrailKeys;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/configuration.md and conf/crail.conf say what the keys say. */
class ConfigurationReferenceTest {
    private static final String INTRODUCTION =
            """
            # Configuration

            Generated from the keys in `io.crail.protocol.config`; a test fails when it is stale.
            `crail config` shows every key with its value and where that comes from.

            Sources, a later one overriding an earlier one:

            1. defaults, below;
            2. a file of `key = value` lines, `#` for comments: named by `--config`, else by
               `$CRAIL_CONF`, else `conf/crail.conf`;
            3. environment variables: `CRAIL_` and the key in capitals, `.` and `-` as `_`
               (`CRAIL_NAMENODE_BIND_PORT`); `CRAIL_NAMENODE` is short for
               `CRAIL_CLIENT_NAMENODES`;
            4. the command line: `-D key=value` or `--set key=value`, and options of commands.

            An unknown key and a value that is not allowed are errors, which name key, value, where
            it stands, the range, and the nearest key.

            Kinds of values: a *size* is a number of bytes with a binary unit (`4096`, `64 KiB`,
            `1.5 GiB`; `k`, `m`, `g`, `t` are short forms); a *duration* has a unit (`200 ms`,
            `30 s`, `10 min`, `1 d`); a *flag* is `true` or `false`; a *host:port list* is
            separated by commas (`a:9060,[::1]:9060`).
            """;

    @Test
    void theReferenceIsUpToDate() throws IOException {
        StringBuilder text = new StringBuilder(INTRODUCTION);
        for (String role : List.of("client", "namenode", "storage", "security")) {
            text.append("\n## ").append(role).append("\n\n");
            text.append("| key | kind | default | allowed | meaning |\n|---|---|---|---|---|\n");
            for (ConfigKey<?> key : CrailKeys.all()) {
                if (key.name().startsWith(role + ".")) {
                    text.append(row(key));
                }
            }
        }
        Document.check("docs/configuration.md", text.toString());
    }

    @Test
    void theSampleFileIsUpToDate() throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("# Configuration of crail: every key with its default.\n");
        text.append("# docs/configuration.md tells more; 'crail config' shows what is in force.\n");
        for (ConfigKey<?> key : CrailKeys.all()) {
            text.append("\n# ").append(key.meaning()).append('\n');
            text.append(("#" + key.name() + " = " + key.defaultText()).stripTrailing());
            text.append('\n');
        }
        Document.check("conf/crail.conf", text.toString());
    }

    private static String row(ConfigKey<?> key) {
        return "| "
                + String.join(
                        " | ",
                        code(key.name()),
                        key.type().name(),
                        key.defaultText().isEmpty() ? "" : code(key.defaultText()),
                        key.type().range(),
                        key.meaning())
                + " |\n";
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
