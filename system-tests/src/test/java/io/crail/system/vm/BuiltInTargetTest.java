// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's initiator in the guest with our target on the host. */
class BuiltInTargetTest extends KernelInitiatorSuite {
    private static final long BYTES = 64L << 20;

    @TempDir static Path directory;

    private static VirtualMachine machine;
    private static HostTarget target;

    @BeforeAll
    @Timeout(VirtualMachine.BOOT_METHOD_SECONDS)
    static void start() throws IOException {
        target =
                HostTarget.start(
                        directory.resolve("4k.img"), BYTES, 4096, "nqn.2026-11.example:built-in");
        machine = VirtualMachine.boot("BuiltInTargetTest", 4420);
    }

    @AfterAll
    static void end() {
        target.close();
        machine.close();
    }

    @Override
    VirtualMachine machine() {
        return machine;
    }

    @Override
    Target target() {
        return target;
    }

    @Test
    @Tag("long")
    void namespaceWithBlocksOf512BytesHoldsAFileSystem() throws IOException {
        try (HostTarget small =
                        HostTarget.start(
                                directory.resolve("512.img"),
                                BYTES,
                                512,
                                "nqn.2026-11.example:built-in-512");
                KernelInitiator initiator = KernelInitiator.connect(machine, "tcp", small, "")) {
            assertThat(machine.run("blockdev --getss " + initiator.device()))
                    .containsExactly("512");
            initiator.verify();
            initiator.useFileSystem();
        }
    }

    @Test
    void onlyAHostThatIsNamedGetsIn() throws IOException {
        String friend = "nqn.2026-11.example:friend";
        String stranger = "nqn.2026-11.example:stranger";
        String nqn = "nqn.2026-11.example:built-in-strict";
        try (HostTarget strict =
                HostTarget.startFor(friend, directory.resolve("strict.img"), BYTES / 4, nqn)) {
            GuestCommand refused =
                    machine.start(
                            String.join(
                                    " ",
                                    "initiator.sh connect tcp",
                                    strict.address(),
                                    Integer.toString(strict.port()),
                                    nqn,
                                    as(stranger)));
            assertThat(refused.awaitStatus()).isNotZero();
            // The kernel's word for why.
            machine.run("dmesg | grep -F 'is not allowed, hostnqn: " + stranger + "'");
            assertThat(machine.start("initiator.sh device " + nqn).awaitStatus()).isNotZero();

            try (KernelInitiator initiator =
                    KernelInitiator.connect(machine, "tcp", strict, as(friend))) {
                assertThat(machine.run("blockdev --getsize64 " + initiator.device()))
                        .containsExactly(Long.toString(BYTES / 4));
                initiator.verify();
            }
        }
    }

    /** Options of {@code nvme connect}; the kernel wants one name for each identifier. */
    private static String as(String hostNqn) {
        return "--hostnqn=" + hostNqn + " --hostid=" + UUID.randomUUID();
    }

    /** What {@code nvme} of the guest makes of what the target says about itself. */
    @Test
    void kernelToolsUnderstandWhatTheTargetSays() {
        try (KernelInitiator initiator = KernelInitiator.connect(machine, "tcp", target, "")) {
            String device = initiator.device();
            String controller = "$(ls -d /dev/nvme[0-9] | tail -n 1)";

            assertThat(machine.run("nvme id-ctrl " + controller))
                    .contains("subnqn    : " + target.nqn());
            assertThat(machine.run("nvme id-ns " + device + " | grep ^nsze"))
                    .containsExactly("nsze    : 0x" + Long.toHexString(BYTES / 4096));
            machine.run("nvme smart-log " + controller);
            machine.run("nvme error-log " + controller);
            machine.run("nvme fw-log " + controller);
            machine.run("nvme effects-log " + controller);
            machine.run("nvme ns-descs " + device);
            machine.run("nvme get-feature " + controller + " -f 7");
            machine.run("nvme flush " + device);
            machine.run("nvme write-zeroes " + device + " -s 0 -c 15");
            machine.run("nvme dsm " + device + " -d -b 16 -s 16");
        }
    }
}
