// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.system.process.HugePages;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The crail command with segments in huge pages: what it starts, it removes there, too. */
@Tag("system")
@Timeout(180)
class HugePagesClusterTest {
    /** Two servers, each with a segment of 32 MiB and a page of header and control area. */
    private static final int USED = 2 * (1 + 16);

    @TempDir private Path directory;
    private State state = new State(Path.of("/"));
    private HugePages huge;

    @BeforeEach
    void mount() throws IOException {
        state = new State(directory);
        huge = HugePages.mount(USED + 6);
    }

    @AfterEach
    void unmount() {
        state.removeAll();
        if (huge != null) {
            huge.close();
        }
    }

    private Command crail(String... arguments) {
        return Command.run(directory, arguments);
    }

    private Command start(String... more) {
        String[] arguments = {
            "cluster", "start", "--servers", "2", "--capacity", "32MiB", "-D", option()
        };
        String[] all = new String[arguments.length + more.length];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return crail(all);
    }

    private String option() {
        return "storage.huge-pages.dir=" + huge.directory();
    }

    private void succeeds(Command command) {
        assertThat(command.status()).as(command.err()).isZero();
    }

    @Test
    void theDataOfALocalClusterLieThereUntilItIsStoppedOrFormatted() throws IOException {
        succeeds(start());
        assertThat(huge.used()).isEqualTo(USED);
        String file = Path.of(System.getProperty("crail.home"), "README.md").toString();
        succeeds(crail("fs", "put", file, "/"));
        succeeds(crail("cluster", "stop", "--keep-data"));
        assertThat(huge.used()).isEqualTo(USED);

        succeeds(start());
        Command read = crail("fs", "cat", "/README.md");
        succeeds(read);
        assertThat(read.out()).startsWith("# crail");
        state.processes().forEach(State::kill);

        succeeds(start("--format"));
        assertThat(crail("fs", "ls", "/").out()).isEmpty();
        assertThat(huge.used()).isEqualTo(USED);
        succeeds(crail("cluster", "stop"));
        assertThat(huge.files()).isEmpty();
        // The kernel takes the memory of a process back a little later than it says that it ended.
        await().untilAsserted(() -> assertThat(huge.used()).isZero());
    }

    private static String unwrapped(Command command) {
        return command.out().replaceAll("\\s+", " ");
    }

    @Test
    void theDoctorTellsWhetherThereAreEnoughPages() {
        String[] doctor = {"doctor", "-D", option(), "-D", "storage.capacity=32MiB"};
        assertThat(unwrapped(crail(doctor))).contains("free pages of 2 MiB", "takes 17");
        doctor[4] = "storage.capacity=64GiB";
        Command refused = crail(doctor);
        assertThat(refused.status()).isEqualTo(1);
        assertThat(unwrapped(refused)).contains("takes 33024", "vm.nr_hugepages=");
    }
}
