// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.DrivenClient;
import io.crail.error.CrailException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A client through its lives; each is a new session. */
final class ClientHost implements Host {
    private final Network network;
    private final int number;
    private final SeededRandom random;
    private @Nullable Life life;
    private int lives;
    private long frozenUntil;

    private record Life(Machine machine, DrivenClient driven, SimulatedProcess process) {}

    ClientHost(Network network, int number, long seed) {
        this.network = network;
        this.number = number;
        this.random = new SeededRandom(seed);
    }

    @Override
    public void start() throws CrailException {
        Timeline timeline = network.timeline();
        Machine machine = network.start("127.0.2." + (number + 1));
        DrivenClient driven =
                DrivenClient.begin(
                        ClientConfig.builder()
                                .namenodes(List.of(NamenodeHost.ADDRESS + ":" + NamenodeHost.PORT))
                                .clientName("client-" + number + "-" + lives)
                                .user("simulated")
                                .group("simulated")
                                .deadline(Limits.DEADLINE)
                                .sessionTimeout(Limits.SESSION)
                                .bufferPoolBytes(4 << 20),
                        timeline::now,
                        machine,
                        random.nextLong());
        SimulatedProcess process = new SimulatedProcess(timeline, driven::turn);
        machine.ownSelectors(process);
        life = new Life(machine, driven, process);
        lives++;
    }

    @Override
    public void kill() {
        if (life != null) {
            life.process.end();
            life.machine.kill();
            life = null;
        }
    }

    /** Which life this is. */
    int lives() {
        return lives;
    }

    @Override
    public boolean isUp() {
        return life != null;
    }

    /** Whether it takes calls now. */
    boolean isRunning() {
        return life != null && !life.process.isFrozen();
    }

    /** Whether its process stood still now or a short time ago. */
    boolean wasFrozenWithin(long nanos) {
        return network.timeline().now() < frozenUntil + nanos;
    }

    @Override
    public void freeze(long nanos) {
        if (life != null) {
            frozenUntil = network.timeline().now() + nanos;
            life.process.freeze(nanos);
        }
    }

    CrailClient client() {
        return Objects.requireNonNull(life, "the client is down").driven.client();
    }

    /** To be called after calls: they leave work for the next turn. */
    void poke() {
        if (life != null) {
            life.process.poke();
        }
    }
}
