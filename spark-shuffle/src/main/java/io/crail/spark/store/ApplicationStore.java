// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.NoSuchNodeException;
import io.crail.spark.config.CrailSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an application has in crail, and what its tasks in this JVM share. Thread-safe.
 *
 * <pre>
 * /spark/APPLICATION             lives as long as its driver or an executor does
 *                   /ID          a shuffle; made by the first map task that has something to write
 *                      /MAP      output of an attempt of a map task
 *                   /broadcast-ID  a broadcast
 * </pre>
 *
 * <p>No parents are ever made for a task: if the application is over, its directory is gone, and a
 * task that goes on must not make it anew. The driver may: see {@link DirectoryLife}.
 */
public final class ApplicationStore {
    private static final CreateOptions SHUFFLE = CreateOptions.builder().existingOk(true).build();
    private static final CreateOptions TEMPORARY =
            CreateOptions.builder().sessionBound(true).build();

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationStore.class);
    private static final long LOOK_MILLIS = 2_000;
    private static final long LOOK_FOR_ROOM_MILLIS = 250;

    /** Whoever ends a shuffle or an application does not wait longer: all goes with time. */
    private static final Duration END = Duration.ofSeconds(10);

    private static final String FULL =
            ". In Spark: what crail holds goes when the driver has forgotten it, so let RDDs and"
                    + " data frames that are not needed be collected (a shorter"
                    + " spark.cleaner.periodicGC.interval), let less run at once, or add storage"
                    + " servers; those of a higher storage class take what does not fit";

    private final CrailClient client;
    private final CrailClient ending;
    private final CrailSettings settings;
    private final String directory;
    private final DirectoryLife life;
    private final StorageClassWatch watch;
    private final CompressionWatch compression;
    private final ScheduledExecutorService timer;
    private final DirectBuffers buffers;
    private final MapOutputs outputs;
    private final SharedSerializers serializers;
    private final BroadcastCounts broadcasts = new BroadcastCounts();
    private final Object removal = new Object();
    private boolean removed;
    private volatile @Nullable Consumer<LostOutputs> driver;

    /**
     * The store of an application whose directory is there.
     *
     * @param preferred storage class of all that is written
     */
    ApplicationStore(
            CrailClient client,
            CrailSettings settings,
            String directory,
            DirectoryLife life,
            int preferred) {
        Duration deadline = settings.client().deadline();
        this.client = client;
        this.ending = client.withDeadline(deadline.compareTo(END) < 0 ? deadline : END);
        this.settings = settings;
        this.directory = directory;
        this.life = life;
        this.watch = new StorageClassWatch(client, directory, preferred);
        this.compression = new CompressionWatch(client, preferred);
        this.timer = Executors.newSingleThreadScheduledExecutor(ApplicationStore::thread);
        this.buffers = new DirectBuffers(settings.bufferPool());
        this.serializers = new SharedSerializers(settings.basicTypes());
        this.outputs = new MapOutputs(client, settings.openOutputs(), settings.indexMemory());
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "crail-application");
        thread.setDaemon(true);
        return thread;
    }

    /** Begins what goes on beside the tasks. */
    void start() {
        life.keepAlive(timer);
        repeat(watch::look, LOOK_MILLIS);
        repeat(compression::look, LOOK_FOR_ROOM_MILLIS);
    }

    private void repeat(Runnable look, long millis) {
        var unused = timer.scheduleWithFixedDelay(look, 0, millis, TimeUnit.MILLISECONDS);
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

    /** The serialisers that tasks share. */
    public SharedSerializers serializers() {
        return serializers;
    }

    /** What this JVM has done with broadcasts. */
    public BroadcastCounts broadcasts() {
        return broadcasts;
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

    /** Renews the time to live of the directory; the driver makes it anew if it is gone. */
    public void renewDirectory() {
        life.renew();
    }

    /** Has the driver make the directory anew that is gone, unless the application is over. */
    private void restoreDirectory(int shuffle) {
        if (life.isDriver()) {
            life.renew();
        } else {
            tellDriver(new LostOutputs(shuffle, List.of()));
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
     * Begins to create a file of a shuffle; fails if the shuffle has none yet. Then, and if the
     * path is taken, {@link #create} tells what to do.
     */
    public CrailFuture<CrailOutputStream> createAsync(String path, long expectedBytes) {
        return client.createFileAsync(
                path, CreateOptions.builder().expectedBytes(expectedBytes).build());
    }

    /**
     * Creates a file of a shuffle.
     *
     * @throws io.crail.error.NodeExistsException if there is one at the path
     */
    public CrailOutputStream create(int shuffle, String path, long expectedBytes)
            throws CrailException {
        return create(shuffle, path, CreateOptions.builder().expectedBytes(expectedBytes).build());
    }

    /**
     * Creates a file of a shuffle that goes with this JVM at the latest.
     *
     * @throws io.crail.error.NodeExistsException if there is one at the path
     */
    public CrailOutputStream createTemporary(int shuffle, String path) throws CrailException {
        return create(shuffle, path, TEMPORARY);
    }

    private CrailOutputStream create(int shuffle, String path, CreateOptions options)
            throws CrailException {
        try {
            try {
                return client.createFile(path, options);
            } catch (NoSuchNodeException e) {
                // The first of the shuffle, or the first since Spark removed it.
                makeShuffle(shuffle);
                return client.createFile(path, options);
            }
        } catch (CrailException e) {
            throw explained(e);
        }
    }

    private void makeShuffle(int shuffle) throws CrailException {
        try {
            client.mkdir(shufflePath(shuffle), SHUFFLE);
        } catch (NoSuchNodeException e) {
            restoreDirectory(shuffle);
            client.mkdir(shufflePath(shuffle), SHUFFLE);
        }
    }

    /**
     * Creates a file of the application itself, by its driver.
     *
     * @throws io.crail.error.NodeExistsException if there is one at the path
     */
    public CrailOutputStream createFile(String path, long expectedBytes) throws CrailException {
        CreateOptions options = CreateOptions.builder().expectedBytes(expectedBytes).build();
        try {
            return client.createFile(path, options);
        } catch (NoSuchNodeException e) {
            life.renew();
            return client.createFile(path, options);
        }
    }

    /** Gives a file up that is being written: nothing of it stays. */
    public void discard(CrailOutputStream file) {
        boolean visible = file.committedLength() > 0;
        file.abort();
        if (visible) {
            // A long file is committed on the way.
            var unused = client.deleteAsync(file.path(), false);
        }
    }

    /** Removes such a file; does nothing if there is none. */
    public void removeFile(String path) throws CrailException {
        removeIfPresent(path);
    }

    /** An error of a task that writes; tells whoever runs the application what can be done. */
    public static CrailException explained(CrailException cause) {
        String message = String.valueOf(cause.getMessage());
        return CrailException.of(
                cause.code(),
                cause.code() == ErrorCode.OUT_OF_SPACE ? message + FULL : message,
                cause);
    }

    /** Removes a shuffle with all its outputs; does nothing if there is none. */
    public void removeShuffle(int shuffle) throws CrailException {
        outputs.forget(shuffle);
        removeIfPresent(shufflePath(shuffle));
    }

    /**
     * Ends the application: removes everything that it has. Only by its driver. It is tried once,
     * however many say that the application ends: who could not be reached is not waited for again.
     */
    public void removeAll() {
        life.end();
        outputs.forgetAll();
        synchronized (removal) {
            if (!removed) {
                removed = true;
                removeDirectory();
            }
        }
    }

    private void removeDirectory() {
        try {
            removeIfPresent(directory);
        } catch (CrailException e) {
            LOG.warn(
                    "{} was not removed, and is not tried again; it goes by itself within {} s: {}",
                    directory,
                    settings.client().sessionTimeout().toSeconds(),
                    e.getMessage());
        }
    }

    /**
     * Looks as often as the directory is renewed whether the application is over without a word, as
     * it is when Spark's context could not be made.
     *
     * @param end what is to be done then, by a thread of its own, since it may stop that of the
     *     store
     */
    public void endWhen(BooleanSupplier over, Runnable end) {
        var unused =
                timer.schedule(
                        () -> {
                            if (over.getAsBoolean()) {
                                LOG.debug("The application of {} has ended.", directory);
                                thread(end).start();
                            } else {
                                endWhen(over, end);
                            }
                        },
                        life.interval().toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void removeIfPresent(String path) throws CrailException {
        try {
            ending.delete(path, true);
        } catch (NoSuchNodeException e) {
            // Somebody was faster, or there was nothing to write.
        }
    }

    /** Whether bytes should be compressed that are written just now, where nobody has said it. */
    public boolean compressionPays() {
        return compression.pays();
    }

    /** Bytes that this JVM wrote to other storage classes than it should, as that one was full. */
    public long bytesElsewhere() {
        return watch.bytesElsewhere();
    }

    /** Nobody uses it any more. */
    void disconnect() {
        watch.look();
        timer.shutdownNow();
        outputs.forgetAll();
        client.close();
    }
}
