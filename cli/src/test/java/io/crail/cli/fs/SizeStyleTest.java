// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.error.CrailException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sizes in du and df. */
class SizeStyleTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private String home = "";

    @BeforeEach
    void makeDirectory() throws CrailException {
        home = CLUSTER.directory();
    }

    @Test
    void sizesAreExactUnlessUnitsAreAskedForAndTheLastOptionWins() {
        assertThat(CLUSTER.runWithInput(new byte[1536], "fs", "put", "-", home + "/f").err())
                .isEmpty();
        for (String options : new String[] {"-b", "--bytes", "-h -b", "-s"}) {
            assertThat(du(options)).as(options).containsPattern("(?m)^ *1536 ");
        }
        for (String options : new String[] {"-h", "--human", "-b -h"}) {
            assertThat(du(options)).as(options).containsPattern("(?m)^ *1.5 KiB ");
        }
        String exact = CLUSTER.run("fs", "df").out();
        assertThat(exact).contains(Integer.toString(64 << 20)).doesNotContain("MiB");
        assertThat(CLUSTER.run("fs", "df", "-h", "-b").out()).isEqualTo(exact);
        assertThat(CLUSTER.run("fs", "df", "-b", "-h").out()).contains("64 MiB");
    }

    private String du(String options) {
        String[] words = ("fs du " + home + " " + options).split(" ", -1);
        Run run = CLUSTER.run(words);
        assertThat(run.err()).isEmpty();
        return run.out();
    }

    @Test
    void whatIsUsedAtAllIsMoreThanNothing() {
        assertThat(DfCommand.percent(0, 1L << 40)).isEqualTo("0 %");
        assertThat(DfCommand.percent(1, 1L << 40)).isEqualTo("1 %");
        assertThat(DfCommand.percent(50, 100)).isEqualTo("50 %");
        assertThat(DfCommand.percent(100, 100)).isEqualTo("100 %");
        assertThat(DfCommand.percent(0, 0)).isEqualTo("-");
    }
}
