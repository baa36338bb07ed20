// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.local.LocalCluster;
import io.crail.client.local.ProcessMark;
import io.crail.client.local.StateDirectory;
import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.TimeoutException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.ConfigurationLoader;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which namenode a command asks, and what it says when that does not answer. */
class NamenodeChoiceTest {
    private static final String DEFAULT = "127.0.0.1:9060";

    @TempDir private Path runtime;

    private NamenodeChoice choice(Map<String, String> environment, Setting... options)
            throws CrailException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("XDG_RUNTIME_DIR", runtime.toString());
        return NamenodeChoice.of(
                new ConfigurationLoader(all).commandLine(List.of(options)).load(), all);
    }

    private static String told(NamenodeChoice choice) {
        CrailException error = new TimeoutException("connect: nobody answered");
        CrailException told = choice.explain(error);
        assertThat(told).isInstanceOf(TimeoutException.class).hasCause(error);
        return String.valueOf(told.getMessage());
    }

    private LocalCluster cluster() throws IOException {
        Path directory = new StateDirectory(runtime.resolve("crail")).cluster(LocalCluster.DEFAULT);
        Files.createDirectories(
                directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        LocalCluster cluster =
                new LocalCluster(
                        directory,
                        new Endpoint("127.0.0.1", 33_333),
                        1,
                        directory,
                        ByteSize.parse("1 GiB"),
                        List.of());
        cluster.write();
        return cluster;
    }

    @Test
    void whoNamesNoneAndHasNoClusterIsToldThatItWasTheDefault() throws IOException {
        NamenodeChoice choice = choice(Map.of());
        assertThat(choice.namenodes()).hasToString("[" + DEFAULT + "]");
        assertThat(told(choice))
                .startsWith("connect: nobody answered; asked was " + DEFAULT + ", the default")
                .contains("no local cluster runs", "'crail cluster start'", "--namenode HOST:PORT");
    }

    @Test
    void aClusterThatRunsIsAskedAndNamed() throws IOException {
        LocalCluster cluster = cluster();
        ProcessMark.of(ProcessHandle.current().pid())
                .orElseThrow()
                .write(LocalCluster.pidFile(cluster.directory(), LocalCluster.NAMENODE));
        NamenodeChoice choice = choice(Map.of());
        assertThat(choice.namenodes()).containsExactly(cluster.namenode());
        assertThat(told(choice))
                .contains(
                        "asked was 127.0.0.1:33333, the local cluster that runs",
                        cluster.directory().toString(),
                        "'crail cluster status'");
    }

    @Test
    void aClusterThatDoesNotRunAnyMoreIsToldWithTheDefaultThatWasAskedInItsPlace()
            throws IOException {
        LocalCluster cluster = cluster();
        NamenodeChoice choice = choice(Map.of());
        assertThat(choice.namenodes()).hasToString("[" + DEFAULT + "]");
        assertThat(told(choice))
                .contains(
                        "asked was " + DEFAULT + ", the default",
                        "local cluster in " + cluster.directory(),
                        "which was 127.0.0.1:33333, does not run any more",
                        "start it again by 'crail cluster start'",
                        "--namenode HOST:PORT");
    }

    @Test
    void whoeverNamedItIsNamed() throws IOException {
        cluster();
        assertThat(told(choice(Map.of("CRAIL_NAMENODE", "a:1,b:2"))))
                .contains("asked was a:1, b:2, named by $CRAIL_NAMENODE: start it");
        assertThat(
                        told(
                                choice(
                                        Map.of("CRAIL_NAMENODE", "a:1"),
                                        Setting.ofCommandLine(
                                                "client.namenodes", "c:3", "--namenode"))))
                .contains("asked was c:3, named by --namenode: start it");
    }

    @Test
    void whoIsRefusedByANamenodeHasFoundIt() throws IOException {
        CrailException refused = new AccessDeniedException("no");
        assertThat(choice(Map.of()).explain(refused)).isSameAs(refused);
    }
}
