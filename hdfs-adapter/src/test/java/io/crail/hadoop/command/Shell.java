// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.hadoop.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/**
 * Commands of Hadoop in this JVM, whose default file system is the cluster of the environment. They
 * print where all of the JVM does: one at a time.
 *
 * @param status of the command
 * @param out what it printed
 * @param err what it complained
 */
record Shell(int status, String out, String err) {
    /** Runs a command. */
    static int run(String... arguments) {
        return HadoopMain.run(
                List.of(arguments), Map.of("CRAIL_NAMENODE", TestCluster.get().namenode()));
    }

    /** Runs a command, and keeps what it prints. */
    static Shell of(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, UTF_8));
        System.setErr(new PrintStream(complained, true, UTF_8));
        try {
            int status = run(arguments);
            return new Shell(status, printed.toString(UTF_8), complained.toString(UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    /** What a command that succeeds prints. */
    static String output(String... arguments) {
        Shell ended = of(arguments);
        assertThat(ended.status()).as(ended.err()).isZero();
        return ended.out();
    }
}
