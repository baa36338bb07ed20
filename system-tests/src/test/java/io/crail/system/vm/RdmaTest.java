// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * NVMe over RDMA, in software (SoftRoCE) and all within the guest: the native library under DiSNI,
 * our initiator over that, a cluster with a tier there, and the kernel's target. Needs what
 * native-rdma/build.sh makes.
 */
@Tag("nvmf")
@Timeout(900)
class RdmaTest {
    private static final String ADDRESS = "10.77.0.1";
    private static final String NQN = "nqn.2026-11.example:rdma";
    private static final String TIER_NQN = "nqn.2026-11.example:tier";

    /**
     * The processors of the guest are emulated; beside other suites a program took more than four
     * minutes.
     */
    private static final Duration BOUND = Duration.ofMinutes(10);

    private static final Path LIBRARY =
            Path.of(System.getProperty("crail.home"), "native-rdma", "target", "libdisni.so");

    private static final Pattern NEEDED =
            Pattern.compile(
                    "/target/(test-)?classes/?$"
                            + "|/(crail|disni|slf4j|netty|prometheus-metrics)-[^/]*[.]jar$");

    /** Where the guest has files of its own. */
    private static final List<Path> OWN_OF_GUEST =
            List.of(Path.of("/tmp"), Path.of("/run"), Path.of("/dev/shm"));

    private static @Nullable VirtualMachine machine;

    /** The machine of the test before, unless what that began goes on there. */
    @BeforeEach
    @Timeout(VirtualMachine.BOOT_METHOD_SECONDS)
    void boot() {
        assertThat(Files.exists(LIBRARY)).as("%s, by native-rdma/build.sh", LIBRARY).isTrue();
        if (machine != null && machine.isFree()) {
            return;
        }
        powerOff();
        machine = VirtualMachine.boot("RdmaTest", 4420, hidden());
        machine.run("rxe.sh");
        // The block device is as large as one may write and read in a moment.
        GuestTarget.start(machine, "rdma", ADDRESS, 4421, NQN, "--backend brd --size 64");
        GuestTarget.start(machine, "rdma", ADDRESS, 4422, TIER_NQN, "--size 28");
    }

    @AfterAll
    static void powerOff() {
        if (machine != null) {
            machine.close();
            machine = null;
        }
    }

    /** What the programs need of this class path, all of which is slow to open in the guest. */
    private static List<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(each -> NEEDED.matcher(each).find())
                .toList();
    }

    /** Directories of it that the guest does not see by itself, as those below /tmp. */
    private static Set<Path> hidden() {
        Path home = Path.of(System.getProperty("crail.home")).toAbsolutePath();
        Set<Path> directories = new TreeSet<>();
        for (String each : classPath()) {
            Path entry = Path.of(each).toAbsolutePath();
            directories.add(entry.startsWith(home) ? home : entry.getParent());
        }
        directories.removeIf(each -> OWN_OF_GUEST.stream().noneMatch(each::startsWith));
        return directories;
    }

    /** Runs a program in the guest; the lines that say what went well. */
    private static List<String> run(Class<?> main, String arguments) {
        GuestCommand command =
                Objects.requireNonNull(machine)
                        .start(
                                System.getProperty("java.home")
                                        + "/bin/java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m"
                                        + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
                                        + " -Xcheck:jni -ea:io.crail..."
                                        + " --add-exports java.base/sun.nio.ch=ALL-UNNAMED"
                                        + " -Djava.library.path="
                                        + LIBRARY.getParent()
                                        + " -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "
                                        + String.join(File.pathSeparator, classPath())
                                        + " "
                                        + main.getName()
                                        + " "
                                        + arguments);
        int status = command.awaitStatus(BOUND);
        List<String> lines = command.lines();
        assertThat(status).as(() -> String.join("\n", lines)).isZero();
        return lines.stream().filter(each -> each.startsWith("ok: ")).toList();
    }

    @Test
    void nativeLibraryDoesWhatDisniExpects() {
        assertThat(run(VerbsMain.class, ADDRESS + " 4500"))
                .containsExactly(
                        "ok: numbers of no object",
                        "ok: send and receive",
                        "ok: remote write and read",
                        "ok: request that is changed and executed again",
                        "ok: completion events",
                        "ok: close",
                        "ok: refused connection",
                        "ok: killed peer");
    }

    @Test
    void initiatorMovesDataAndSurvivesTheLossOfItsTarget() {
        assertThat(run(RdmaInitiatorMain.class, ADDRESS + " 4421 " + NQN + " /dev/ram0"))
                .containsExactly(
                        "ok: discovery",
                        "ok: refused connection",
                        "ok: writes and reads of all sizes",
                        "ok: hundreds of commands at a time",
                        "ok: flush and deallocate",
                        "ok: target that went and came back",
                        "ok: commands of a fabric",
                        "ok: loss of a connection of a fabric",
                        "ok: all is closed");
    }

    @Test
    @Tag("long")
    void storageServerOffersANamespaceOverRdmaAndClientsMoveDataThere() {
        assertThat(run(RdmaTierMain.class, ADDRESS + " 4422 " + TIER_NQN))
                .containsExactly(
                        "ok: a storage server at the target",
                        "ok: files that another client reads",
                        "ok: a file partly in memory and partly there",
                        "ok: freed blocks that wait for the target's clients",
                        "ok: a target that went and came back",
                        "ok: all is closed");
    }
}
