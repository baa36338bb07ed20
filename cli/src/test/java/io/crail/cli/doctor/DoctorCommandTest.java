// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DoctorCommandTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    @TempDir private Path directory;

    /** Settings that suit whatever machine runs the test. */
    private String[] doctor(String... further) {
        String[] usual = {
            "doctor",
            "-Dstorage.capacity=1MiB",
            "-Dnamenode.bind.port=0",
            "-Dnamenode.metadata.dir=" + directory
        };
        String[] all = Arrays.copyOf(usual, usual.length + further.length);
        System.arraycopy(further, 0, all, usual.length, further.length);
        return all;
    }

    @Test
    void aClusterOfThisProcessIsReachedThroughMemory() {
        Run run = CLUSTER.run(doctor());
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("namenode " + CLUSTER.namenode() + " answers")
                .contains("namenode: Unix socket /")
                .contains("storage server 1 (", "shared memory in /")
                .contains("all are of the version of this command")
                .contains("wall clock is")
                .contains("0 problems");
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 80 || !line.contains(" "));
    }

    @Test
    void aClientThatMustNotShareMemoryIsToldSo() {
        Run run = CLUSTER.run(doctor("-Dclient.shared-memory=false", "-Dclient.unix-socket=false"));
        assertThat(run.status()).isZero();
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("because client.shared-memory is false")
                .contains("because client.unix-socket is false");
    }

    @Test
    void jsonHasTheSameAndAProblemIsAFailure() {
        Run run = CLUSTER.run(doctor("--json", "-Dstorage.advertise.hosts=no-such-host.invalid"));
        assertThat(run.status()).isEqualTo(ExitCode.FAILURE.number());
        assertThat(run.err()).contains("1 problem found");
        assertThat(run.out())
                .contains("\"ok\": false", "\"problems\": 1")
                .contains("\"check\": \"addresses\", \"level\": \"problem\"")
                .contains("\"do\": \"");
    }

    @Test
    void withoutAClusterTheMachineIsCheckedAlone() {
        Run run = Run.of(doctor("-Dclient.namenodes=127.0.0.1:1"));
        assertThat(run.status()).isEqualTo(ExitCode.FAILURE.number());
        assertThat(run.out()).contains("no answer from 127.0.0.1:1");
        assertThat(run.out()).contains("open files").doesNotContain("transports");
    }
}
