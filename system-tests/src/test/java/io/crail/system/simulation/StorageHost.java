// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.protocol.authentication.Credentials;
import io.crail.storage.directory.PrivateDirectory;
import io.crail.storage.directory.ServerDirectory;
import io.crail.storage.registration.NamenodeAddress;
import io.crail.storage.registration.Registration;
import io.crail.storage.registration.RegistrationSettings;
import io.crail.storage.registration.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A storage server: the real registration, block tables, segment files and connections, killed and
 * started again in its directory.
 */
final class StorageHost implements Host {
    private final Network network;
    private final Path directory;
    private final String address;
    private final SeededRandom random;
    private final UUID identity;
    private @Nullable Life life;

    private record Life(
            Machine machine,
            ServerDirectory directory,
            SimulatedTier tier,
            Registration registration) {}

    StorageHost(Network network, Path directory, int number, long seed) {
        this.network = network;
        this.directory = directory;
        this.address = "127.0.1." + (number + 1);
        this.random = new SeededRandom(seed);
        this.identity = new UUID(random.nextLong(), random.nextLong());
    }

    @Override
    public void start() throws IOException {
        PrivateDirectory.make(directory);
        Files.writeString(directory.resolve("identity"), identity.toString());
        Machine machine = network.start(address);
        ServerDirectory opened = ServerDirectory.open(directory, false);
        SimulatedTier tier = new SimulatedTier(machine, opened, random);
        Timeline timeline = network.timeline();
        Registration registration =
                new Registration(
                        new RegistrationSettings(
                                List.of(
                                        NamenodeAddress.parse(
                                                NamenodeHost.ADDRESS + ":" + NamenodeHost.PORT)),
                                address,
                                "dram",
                                0,
                                "",
                                "simulated",
                                Credentials.NONE,
                                Duration.ofSeconds(2),
                                Duration.ofMillis(20),
                                Duration.ofMillis(500)),
                        opened,
                        tier,
                        new Surroundings(
                                machine, timeline::now, body -> new Fiber(timeline, body)));
        registration.start();
        life = new Life(machine, opened, tier, registration);
    }

    @Override
    public void kill() {
        Life ending = life;
        life = null;
        if (ending != null) {
            ending.machine.kill();
            ending.registration.stop();
            ending.tier.close();
            ending.directory.close();
        }
    }

    /** The memory is lost, as when the host boots; the server must be down. */
    void wipe() throws IOException {
        try (var files = Files.newDirectoryStream(directory, "segment-*")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    @Override
    public boolean isUp() {
        return life != null;
    }

    @Override
    public void freeze(long nanos) {
        if (life != null) {
            life.tier.freeze(nanos);
        }
    }
}
