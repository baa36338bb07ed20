// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import io.crail.spark.config.CrailSettings;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an application has in crail, and what its tasks in this JVM share. Thread-safe.
 *
 * <pre>
 * /spark/APPLICATION             bound to the driver's session, so that it vanishes with the driver
 *                   /ID          a shuffle; made by the first map task that has something to write
 *                      /MAP      output of an attempt of a map task
 *                   /broadcast-ID  a broadcast
 * </pre>
 *
 * <p>No parents are ever made here: if the driver is gone, its directory is, and a task that goes
 * on must not make it anew, bound to nobody.
 */
public final class ApplicationStore {
    private static final CreateOptions SHUFFLE = CreateOptions.builder().existingOk(true).build();

    private final CrailClient client;
    private final CrailSettings settings;
    private final String directory;
    private final DirectBuffers buffers;
    private final MapOutputs outputs;
    private volatile @Nullable Consumer<LostOutputs> driver;

    ApplicationStore(CrailClient client, CrailSettings settings, String directory) {
        this.client = client;
        this.settings = settings;
        this.directory = directory;
        this.buffers = new DirectBuffers(settings.bufferPool());
        this.outputs = new MapOutputs(client, settings.openOutputs(), settings.indexMemory());
    }

    /** The client of this JVM. */
    public CrailClient client() {
        return client;
    }

    public CrailSettings settings() {
        return settings;
    }

    /** Path of the application's directory. */
    public String directory() {
        return directory;
    }

    /** The buffers of this JVM. */
    public DirectBuffers buffers() {
        return buffers;
    }

    /** The map outputs that are open for reading. */
    public MapOutputs outputs() {
        return outputs;
    }

    /** Says how the driver hears of lost outputs. */
    public void driver(Consumer<LostOutputs> hears) {
        driver = hears;
    }

    /** Tells the driver of lost outputs, if it can be reached; returns when it knows. */
    public void tellDriver(LostOutputs lost) {
        Consumer<LostOutputs> hears = driver;
        if (hears != null) {
            hears.accept(lost);
        }
    }

    /** Path of a shuffle. */
    public String shufflePath(int shuffle) {
        return directory + "/" + shuffle;
    }

    /** Path of a map output. */
    public String outputPath(int shuffle, long mapId) {
        return shufflePath(shuffle) + "/" + mapId;
    }

    /**
     * Creates a file of a shuffle.
     *
     * @throws io.crail.error.NodeExistsException if there is one at the path
     */
    public CrailOutputStream create(int shuffle, String path, long expectedBytes)
            throws CrailException {
        CreateOptions options = CreateOptions.builder().expectedBytes(expectedBytes).build();
        try {
            return client.createFile(path, options);
        } catch (NoSuchNodeException e) {
            // The first of the shuffle, or the first since Spark removed it.
            client.mkdir(shufflePath(shuffle), SHUFFLE);
            return client.createFile(path, options);
        }
    }

    /**
     * Creates a file of the application itself.
     *
     * @throws io.crail.error.NodeExistsException if there is one at the path
     */
    public CrailOutputStream createFile(String path, long expectedBytes) throws CrailException {
        return client.createFile(
                path, CreateOptions.builder().expectedBytes(expectedBytes).build());
    }

    /** Removes such a file; does nothing if there is none. */
    public void removeFile(String path) throws CrailException {
        removeIfPresent(path);
    }

    /** Removes a shuffle with all its outputs; does nothing if there is none. */
    public void removeShuffle(int shuffle) throws CrailException {
        outputs.forget(shuffle);
        removeIfPresent(shufflePath(shuffle));
    }

    /** Removes everything that the application has. */
    public void removeAll() throws CrailException {
        outputs.forgetAll();
        removeIfPresent(directory);
    }

    private void removeIfPresent(String path) throws CrailException {
        try {
            client.delete(path, true);
        } catch (NoSuchNodeException e) {
            // Somebody was faster, or there was nothing to write.
        }
    }

    /** Nobody uses it any more. */
    void disconnect() {
        outputs.forgetAll();
        client.close();
    }
}
