// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the kernel's initiator does with any target over TCP. */
@Tag("nvmf")
@Timeout(300)
abstract class KernelInitiatorSuite {
    private static final String TCP = "tcp";

    /** With the initiator. */
    abstract VirtualMachine machine();

    /** With a namespace that a test may write all over, the same one for all tests. */
    abstract Target target();

    @Test
    void targetIsDiscovered() {
        assertThat(KernelInitiator.discover(machine(), TCP, target()))
                .contains(
                        "subnqn:  " + target().nqn(),
                        "trtype:  tcp",
                        "subtype: nvme subsystem",
                        "trsvcid: " + target().port());
    }

    @Test
    void namespaceTakesAFileSystemAndGivesItBack() {
        try (KernelInitiator initiator = KernelInitiator.connect(machine(), TCP, target(), "")) {
            initiator.useFileSystem();
        }
    }

    @Test
    void writesWithDigestsAreReadAsTheyWereWritten() {
        try (KernelInitiator initiator =
                KernelInitiator.connect(machine(), TCP, target(), "--hdr-digest --data-digest")) {
            initiator.verify();
        }
    }

    @Test
    void nothingIsLostWhenTheTargetIsKilledUnderLoadAndComesBack() {
        try (KernelInitiator initiator = KernelInitiator.connect(machine(), TCP, target(), "")) {
            initiator.startLoad();
            target().kill();
            initiator.await("connecting");
            target().restart();
            initiator.awaitLoad();
            initiator.await("live");
        }
    }
}
