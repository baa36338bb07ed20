// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.content;

import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.statistics.FileSystemCounters;
import io.crail.hadoop.statistics.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.BulkDeleteUtils;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatistics;

/**
 * Removes many files, or empty directories. All removals of a call are under way at a time.
 * Thread-safe.
 */
public final class BulkRemoval implements BulkDelete {
    private final CrailClient client;
    private final Path base;
    private final Function<Path, String> plain;
    private final int pageSize;
    private final FileSystemCounters counters;

    /**
     * @param base qualified; nothing outside of it is removed
     * @param plain makes paths into what the client wants
     * @param pageSize paths of one call
     * @param counters of the file system
     */
    public BulkRemoval(
            CrailClient client,
            Path base,
            Function<Path, String> plain,
            int pageSize,
            FileSystemCounters counters) {
        this.pageSize = pageSize;
        this.client = client;
        this.base = base;
        this.plain = plain;
        this.counters = counters;
    }

    @Override
    public int pageSize() {
        return pageSize;
    }

    @Override
    public Path basePath() {
        return base;
    }

    @Override
    public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> paths) {
        BulkDeleteUtils.validateBulkDeletePaths(paths, pageSize, base);
        FileSystemCounters.Call call = counters.begin(Operation.BULK_DELETE);
        Map<Path, CrailException> refused = removeAll(paths);
        // A directory may have been listed with what is in it: deepest first, they can go now.
        List<Path> again =
                refused.entrySet().stream()
                        .filter(each -> each.getValue().code() == ErrorCode.NOT_EMPTY)
                        .map(Map.Entry::getKey)
                        .sorted(Comparator.comparingInt(Path::depth).reversed())
                        .toList();
        if (paths.size() > 1) {
            for (Path path : again) {
                refused.remove(path);
                refused.putAll(removeAll(List.of(path)));
            }
        }
        if (refused.isEmpty()) {
            call.succeeded();
        } else {
            call.failed();
        }
        List<Map.Entry<Path, String>> failures = new ArrayList<>();
        refused.forEach(
                (path, cause) ->
                        failures.add(
                                Map.entry(
                                        path,
                                        HadoopErrors.of(cause, plain.apply(path)).toString())));
        return failures;
    }

    /** Removes what is there; what was not is no failure. */
    private Map<Path, CrailException> removeAll(Collection<Path> paths) {
        Map<Path, CrailFuture<Void>> removals = new LinkedHashMap<>();
        for (Path path : paths) {
            removals.put(path, client.deleteAsync(plain.apply(path), false));
        }
        Map<Path, CrailException> refused = new LinkedHashMap<>();
        removals.forEach(
                (path, removal) -> {
                    try {
                        removal.join();
                    } catch (CompletionException e) {
                        if (!(e.getCause() instanceof CrailException cause)) {
                            throw e;
                        }
                        if (cause.code() != ErrorCode.NO_SUCH_NODE) {
                            refused.put(path, cause);
                        }
                    }
                });
        return refused;
    }

    @Override
    public IOStatistics getIOStatistics() {
        return counters.published();
    }

    @Override
    public void close() {}
}
