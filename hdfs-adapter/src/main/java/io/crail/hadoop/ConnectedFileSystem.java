// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.hadoop.config.ClientLease;
import io.crail.hadoop.config.ClientSettings;
import io.crail.hadoop.config.SharedClients;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.statistics.FileSystemCounters;
import io.crail.hadoop.statistics.Operation;
import io.crail.hadoop.status.Statuses;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.impl.StorageStatisticsFromIOStatistics;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/** The part of the file system that is about the connection, the address, and the form of paths. */
abstract class ConnectedFileSystem extends FileSystem implements IOStatisticsSource {
    /** Scheme of the URIs. */
    static final String SCHEME = "crail";

    // Set by initialize, before anybody else sees the object.
    private @Nullable URI uri;
    private @Nullable ClientLease lease;
    private @Nullable Statuses statuses;
    private @Nullable FileSystemCounters counters;
    private int bulkRemovalSize = 1;
    private String user = "";
    private volatile Path workingDirectory = new Path("/");

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        super.initialize(name, configuration);
        setConf(configuration);
        counters = new FileSystemCounters(() -> statistics);
        URI address = address(name);
        uri = address;
        try {
            statuses = new Statuses(address, ClientSettings.blockSize(configuration));
            bulkRemovalSize = ClientSettings.bulkRemovalSize(configuration);
            ClientSettings settings =
                    ClientSettings.of(
                            address,
                            configuration,
                            UserGroupInformation.getCurrentUser().getShortUserName(),
                            System.getenv());
            user = settings.actingUser();
            workingDirectory = getHomeDirectory();
            lease =
                    SharedClients.OF_THIS_JVM.acquire(
                            settings, ClientSettings.patience(configuration));
        } catch (CrailException e) {
            throw HadoopErrors.of(e, name.toString());
        }
    }

    /** Paths that one call may remove. */
    final int bulkRemovalSize() {
        return bulkRemovalSize;
    }

    private static URI address(URI name) {
        String authority = name.getAuthority();
        return URI.create(authority == null ? SCHEME + ":///" : SCHEME + "://" + authority);
    }

    /**
     * The client.
     *
     * @throws IOException if the file system is closed
     */
    final CrailClient client() throws IOException {
        ClientLease held = lease;
        if (held == null) {
            throw new IOException("the file system was not initialized");
        }
        return held.client();
    }

    final FileSystemCounters counters() {
        FileSystemCounters made = counters;
        if (made == null) {
            throw new IllegalStateException("the file system was not initialized");
        }
        return made;
    }

    /** What is done for a caller, with the path as the client wants it. */
    @FunctionalInterface
    interface Work<T> {
        T on(CrailClient client, String plain) throws IOException;
    }

    /** Does it, counts it, takes its time, and names its failure as Hadoop does. */
    final <T> T call(Operation operation, Path path, Work<T> work) throws IOException {
        String plain = plain(path);
        FileSystemCounters.Call call = counters().begin(operation);
        boolean done = false;
        try {
            T result = work.on(client(), plain);
            done = true;
            return result;
        } catch (CrailException e) {
            throw HadoopErrors.of(e, plain);
        } finally {
            if (done) {
                call.succeeded();
            } else {
                call.failed();
            }
        }
    }

    /** What is done for a caller who expects no answer. */
    @FunctionalInterface
    interface Change {
        void on(CrailClient client, String plain) throws IOException;
    }

    /** As {@link #call}. */
    final void run(Operation operation, Path path, Change change) throws IOException {
        call(
                operation,
                path,
                (client, plain) -> {
                    change.on(client, plain);
                    return true;
                });
    }

    /** Calls, their durations, and what closed streams have moved. */
    @Override
    public IOStatistics getIOStatistics() {
        return counters().published();
    }

    /** The counters of {@link #getIOStatistics}. */
    @Override
    public StorageStatistics getStorageStatistics() {
        return new StorageStatisticsFromIOStatistics(
                "CrailStorageStatistics", SCHEME, getIOStatistics());
    }

    final Statuses statuses() {
        Statuses made = statuses;
        if (made == null) {
            throw new IllegalStateException("the file system was not initialized");
        }
        return made;
    }

    /** A path as the client wants it: absolute, without scheme and authority. */
    final String plain(Path path) {
        checkPath(path);
        String plain = path.toUri().getPath();
        return plain.startsWith("/") ? plain : absolute(path).toUri().getPath();
    }

    private Path absolute(Path path) {
        return path.isAbsolute() ? path : new Path(workingDirectory, path);
    }

    /** A path with scheme and authority. */
    final Path qualified(Path path) {
        return path.makeQualified(getUri(), workingDirectory);
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public URI getUri() {
        URI address = uri;
        if (address == null) {
            throw new IllegalStateException("the file system was not initialized");
        }
        return address;
    }

    @Override
    protected int getDefaultPort() {
        return ClientSettings.DEFAULT_PORT;
    }

    /** There are no delegation tokens. */
    @Override
    public @Nullable String getCanonicalServiceName() {
        return null;
    }

    @Override
    public Path getHomeDirectory() {
        return makeQualified(new Path("/user/" + user));
    }

    @Override
    protected Path getInitialWorkingDirectory() {
        return getHomeDirectory();
    }

    @Override
    public Path getWorkingDirectory() {
        return workingDirectory;
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        Path absolute = absolute(directory);
        checkPath(absolute);
        workingDirectory = qualified(absolute);
    }

    @Override
    public long getDefaultBlockSize(Path path) {
        return statuses().blockSize();
    }

    @Override
    @Deprecated
    public long getDefaultBlockSize() {
        return statuses().blockSize();
    }

    /** The client is closed with the last file system that uses it. */
    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            ClientLease held = lease;
            if (held != null) {
                held.close();
            }
        }
    }
}
