// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

/** The kernel's target, in the guest as its initiator is. */
final class GuestTarget implements Target {
    private final VirtualMachine machine;
    private final String nqn;
    private final String listen;
    private final String close;
    private final String address;
    private final int port;

    private GuestTarget(
            VirtualMachine machine, String transport, String address, int port, String nqn) {
        this.machine = machine;
        this.address = address;
        this.port = port;
        this.nqn = nqn;
        close = "nvmet.sh close --port " + port;
        listen =
                "nvmet.sh listen --transport "
                        + transport
                        + " --address "
                        + address
                        + " --port "
                        + port
                        + " --nqn "
                        + nqn;
    }

    /**
     * A subsystem with one namespace, which listens.
     *
     * @param options of {@code nvmet.sh create}
     */
    static GuestTarget start(
            VirtualMachine machine,
            String transport,
            String address,
            int port,
            String nqn,
            String options) {
        GuestTarget target = new GuestTarget(machine, transport, address, port, nqn);
        machine.run("nvmet.sh create --nqn " + nqn + " " + options);
        target.restart();
        return target;
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String nqn() {
        return nqn;
    }

    @Override
    public void kill() {
        machine.run(close);
    }

    @Override
    public void restart() {
        machine.run(listen);
    }

    /** Nothing to do: it goes with the machine. */
    @Override
    public void close() {}
}
