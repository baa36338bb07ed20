// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * The kernel's initiator in the guest, connected to the namespace of a target. Closing it
 * disconnects.
 */
final class KernelInitiator implements AutoCloseable {
    /** So that it tries again at once and does not give up within a test. */
    private static final String PATIENT =
            " --nr-io-queues=2 --reconnect-delay=1 --ctrl-loss-tmo=600 ";

    private final VirtualMachine machine;
    private final Target target;
    private final String device;

    private KernelInitiator(VirtualMachine machine, Target target, String device) {
        this.machine = machine;
        this.target = target;
        this.device = device;
    }

    /** What {@code nvme discover} prints about the target's address. */
    static List<String> discover(VirtualMachine machine, String transport, Target target) {
        return machine.run(
                "initiator.sh discover "
                        + String.join(
                                " ", transport, target.address(), Integer.toString(target.port())));
    }

    /**
     * Connects.
     *
     * @param options of {@code nvme connect}
     */
    static KernelInitiator connect(
            VirtualMachine machine, String transport, Target target, String options) {
        machine.run(
                "initiator.sh connect "
                        + String.join(
                                " ",
                                transport,
                                target.address(),
                                Integer.toString(target.port()),
                                target.nqn(),
                                PATIENT,
                                options));
        String device = machine.run("initiator.sh device " + target.nqn()).get(0);
        return new KernelInitiator(machine, target, device);
    }

    /** The block device. */
    String device() {
        return device;
    }

    /** Makes a file system, fills it, checks it and reads it anew. */
    void useFileSystem() {
        assertThat(machine.run("initiator.sh filesystem " + device))
                .last()
                .asString()
                .endsWith("is sound");
    }

    /** Writes at random with checksums and reads all of it. */
    void verify() {
        assertThat(machine.run("initiator.sh verify " + device)).containsExactly("verified");
    }

    /** The same in the background; returns when it writes. */
    void startLoad() {
        machine.run("initiator.sh load " + device);
    }

    /** Waits until the load has found all as it has written it. */
    void awaitLoad() {
        assertThat(machine.run("initiator.sh wait")).containsExactly("verified");
    }

    /** Waits for a state as the kernel names it: live, connecting. */
    void await(String state) {
        machine.run("initiator.sh await " + target.nqn() + " " + state);
    }

    @Override
    public void close() {
        machine.run("initiator.sh disconnect " + target.nqn());
    }
}
