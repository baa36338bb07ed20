// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** RDMA and NVMe devices, and the limit of locked memory, which only RDMA needs. */
final class DeviceCheck implements Check {
    private static final long ENOUGH_LOCKED = 1L << 30;

    private final Machine machine;

    DeviceCheck(Machine machine) {
        this.machine = machine;
    }

    @Override
    public String subject() {
        return "devices";
    }

    /** RDMA devices of this machine. */
    private List<String> rdma() {
        return machine.list("sys/class/infiniband");
    }

    @Override
    public List<Finding> look() {
        List<Finding> found = new ArrayList<>();
        List<String> rdma = rdma();
        found.add(
                Finding.ok(
                        (rdma.isEmpty()
                                        ? "no RDMA device"
                                        : "RDMA devices " + String.join(", ", rdma))
                                + ": data go over TCP, and over shared memory on one host"));
        List<String> nvme =
                machine.list("sys/class/nvme").stream()
                        .filter(name -> name.startsWith("nvme"))
                        .toList();
        found.add(
                Finding.ok(
                        (nvme.isEmpty()
                                        ? "no NVMe device"
                                        : "NVMe devices " + String.join(", ", nvme))
                                + ": blocks lie in DRAM (storage.tier = dram)"));
        found.add(lockedMemory(!rdma.isEmpty()));
        return found;
    }

    private Finding lockedMemory(boolean isUsed) {
        OptionalLong limit = Limits.hard(machine, "Max locked memory");
        if (limit.isEmpty()) {
            return Finding.ok("the limit of locked memory is not known");
        }
        long bytes = limit.getAsLong();
        String what =
                bytes == Limits.UNLIMITED
                        ? "any amount of memory may be locked"
                        : Text.size(bytes) + " of memory may be locked (memlock)";
        if (bytes >= ENOUGH_LOCKED || !isUsed) {
            return Finding.ok(isUsed ? what : what + "; TCP and shared memory lock none");
        }
        return Finding.warning(
                what + ": too little for RDMA, which locks every buffer and segment",
                "'ulimit -l unlimited', memlock in /etc/security/limits.conf, LimitMEMLOCK=infinity"
                        + " of the systemd unit, or --ulimit memlock=-1 of the container");
    }
}
