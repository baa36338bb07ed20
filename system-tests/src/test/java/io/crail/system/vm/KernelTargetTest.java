// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The kernel's initiator with the kernel's target, both in the guest: what they can do with each
 * other is what ours must do with either.
 */
@Tag("nvmf")
@Timeout(300)
class KernelTargetTest {
    private static final String QUICK_TO_RECONNECT =
            "--nr-io-queues=2 --reconnect-delay=1 --ctrl-loss-tmo=600";

    private static VirtualMachine machine;

    @BeforeAll
    static void boot() {
        machine = VirtualMachine.boot("KernelTargetTest", 4420);
    }

    @AfterAll
    static void powerOff() {
        machine.close();
    }

    @Test
    void namespaceOverTcpIsFoundHoldsDataAndComesBackAfterItsTarget() {
        String nqn = "nqn.2026-11.example:tcp";
        machine.run("nvmet.sh create --nqn " + nqn);
        machine.run("nvmet.sh listen --nqn " + nqn);

        assertThat(machine.run("initiator.sh discover tcp 127.0.0.1 4420"))
                .contains("subnqn:  " + nqn);
        machine.run("initiator.sh connect tcp 127.0.0.1 4420 " + nqn + " " + QUICK_TO_RECONNECT);
        String device = machine.run("initiator.sh device " + nqn).get(0);
        machine.run("initiator.sh filesystem " + device);

        machine.run("nvmet.sh close");
        machine.run("initiator.sh await " + nqn + " connecting");
        machine.run("nvmet.sh listen --nqn " + nqn);
        machine.run("initiator.sh await " + nqn + " live");
        machine.run("initiator.sh verify " + device);
        machine.run("initiator.sh disconnect " + nqn);
    }

    @Test
    void namespaceOverRdmaHoldsData() {
        String nqn = "nqn.2026-11.example:rdma";
        machine.run("rxe.sh");
        machine.run("nvmet.sh create --backend brd --nqn " + nqn);
        machine.run(
                "nvmet.sh listen --transport rdma --address 10.77.0.1 --port 4421 --nqn " + nqn);

        machine.run("initiator.sh connect rdma 10.77.0.1 4421 " + nqn + " --nr-io-queues=2");
        String device = machine.run("initiator.sh device " + nqn).get(0);
        machine.run("initiator.sh verify " + device);
        machine.run("initiator.sh disconnect " + nqn);
    }
}
