// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The kernel's initiator with the kernel's target, both in the guest: what they can do with each
 * other is what ours must do with either. Long: in CI, where only ours matters, it is left out.
 */
@Tag("long")
class KernelTargetTest extends KernelInitiatorSuite {
    private static VirtualMachine machine;
    private static Target target;

    @BeforeAll
    @Timeout(VirtualMachine.BOOT_METHOD_SECONDS)
    static void boot() {
        machine = VirtualMachine.boot("KernelTargetTest", 4420);
        target =
                GuestTarget.start(machine, "tcp", "127.0.0.1", 4420, "nqn.2026-11.example:tcp", "");
    }

    @AfterAll
    static void powerOff() {
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
    void namespaceOverRdmaHoldsData() {
        machine.run("rxe.sh");
        Target rdma =
                GuestTarget.start(
                        machine,
                        "rdma",
                        "10.77.0.1",
                        4421,
                        "nqn.2026-11.example:rdma",
                        "--backend brd");
        try (KernelInitiator initiator = KernelInitiator.connect(machine, "rdma", rdma, "")) {
            initiator.verify();
        }
        rdma.close();
    }
}
