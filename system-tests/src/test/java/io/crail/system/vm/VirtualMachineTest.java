// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the other tests of this package stand on. */
@Tag("nvmf")
@Timeout(300)
class VirtualMachineTest {
    private static final int GUEST_PORT = 4420;

    @TempDir Path directory;

    /** Runs run.sh to its end. */
    private int runScript(Path output, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(VirtualMachine.script().toString()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        if (!process.waitFor(240, TimeUnit.SECONDS)) {
            process.destroy();
            throw new AssertionError("run.sh did not end: " + Files.readString(output));
        }
        return process.exitValue();
    }

    @Test
    void oneCommandGivesBackOutputAndStatusAndLeavesItsConsole() throws Exception {
        Path output = directory.resolve("output");
        Path control = directory.resolve("control");
        Path shared = Files.createDirectory(directory.resolve("shared"));
        Files.writeString(shared.resolve("in"), "from the host");

        int status =
                runScript(
                        output,
                        "--control",
                        control.toString(),
                        "--share",
                        shared.toString(),
                        "cd " + shared + "; cat in; echo; uname -n >out; echo told >&2; exit 7");

        assertThat(Files.readString(output)).isEqualTo("from the host\ntold\n");
        assertThat(status).isEqualTo(7);
        assertThat(shared.resolve("out")).hasContent("vm\n");
        assertThat(control.resolve("dmesg.txt")).content().contains("Linux version");
    }

    @Test
    void commandOverItsTimeIsAnErrorThatShowsTheConsole() throws Exception {
        Path output = directory.resolve("output");

        int status =
                runScript(
                        output,
                        "--control",
                        directory.resolve("control").toString(),
                        "--seconds",
                        "1",
                        "true");

        assertThat(Files.readString(output))
                .contains("not done within 1 seconds; the end of " + directory.resolve("control"));
        assertThat(status).isEqualTo(124);
    }

    @Test
    void commandsRunOneAfterTheOtherAndTheirLinesMayBeWaitedFor() throws Exception {
        try (VirtualMachine machine = VirtualMachine.boot("VirtualMachineTest", GUEST_PORT);
                ServerSocket host = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(machine.run("echo one; echo; echo two")).containsExactly("one", "", "two");
            assertThat(machine.run("printf unended")).containsExactly("unended");
            assertThat(machine.run("true")).isEmpty();
            assertThat(machine.start("exit 3").awaitStatus()).isEqualTo(3);
            assertThatThrownBy(() -> machine.run("echo the reason; false"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("ended with status 1; it printed:\nthe reason\n");

            // From the guest to the host: the command goes on only when the host has answered.
            host.setSoTimeout((int) VirtualMachine.COMMAND_BOUND.toMillis());
            GuestCommand command =
                    machine.start(
                            "echo ready; read -r answer <>/dev/tcp/"
                                    + VirtualMachine.HOST
                                    + "/"
                                    + host.getLocalPort()
                                    + "; echo \"got $answer\"");
            assertThat(command.awaitLine("ready")).isEqualTo("ready");
            assertThat(machine.isFree()).isFalse();
            assertThatThrownBy(() -> machine.start("true"))
                    .isInstanceOf(IllegalStateException.class);
            try (Socket guest = host.accept();
                    OutputStream out = guest.getOutputStream()) {
                assertThat(command.lines()).containsExactly("ready");
                out.write("this\n".getBytes(StandardCharsets.UTF_8));
            }
            assertThat(command.awaitSuccess()).containsExactly("ready", "got this");
            assertThat(machine.isFree()).isTrue();

            machine.run("echo a word of the kernel >/dev/kmsg");
            assertThatThrownBy(() -> machine.start("sleep 1000").awaitStatus(Duration.ofMillis(10)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("\"sleep 1000\" did not end within 10 ms")
                    .hasMessageContaining("a word of the kernel");
        }
    }

    @Test
    void machineThatEndsFailsTheCommandAtOnceAndLeavesNoProcess() {
        ProcessHandle script;
        List<ProcessHandle> processes;
        try (VirtualMachine machine = VirtualMachine.boot("VirtualMachineTest-crash", GUEST_PORT)) {
            script = ProcessHandle.of(machine.pid()).orElseThrow();
            processes = script.descendants().toList();
            assertThat(processes).isNotEmpty();

            assertThatThrownBy(() -> machine.run("echo c >/proc/sysrq-trigger; sleep 1000"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("did not end before the machine did")
                    .hasMessageContaining("Kernel panic");
            assertThat(machine.isFree()).isFalse();
            assertThatThrownBy(() -> machine.run("true")).hasMessageContaining("is gone");
        }
        assertThat(script.isAlive()).isFalse();
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    @Tag("long")
    void machineWhoseOwnerIsKilledEnds() throws IOException {
        List<ProcessHandle> processes;
        try (VirtualMachine machine =
                VirtualMachine.boot("VirtualMachineTest-killed", GUEST_PORT)) {
            ProcessHandle script = ProcessHandle.of(machine.pid()).orElseThrow();
            processes = script.descendants().toList();
            assertThat(processes).anyMatch(one -> one.info().command().orElse("").contains("qemu"));

            script.destroyForcibly();

            Awaitility.await().until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        }
    }
}
