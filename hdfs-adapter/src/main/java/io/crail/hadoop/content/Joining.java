// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.content;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Concat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.HadoopIllegalArgumentException;

/**
 * Joins and cuts files, in the namenode; no byte moves. Hadoop joins any number of files, a request
 * takes so many: of more, each group is joined to its first file before, so that the target gets
 * all of them in one step.
 *
 * @param client joins and cuts
 */
public record Joining(CrailClient client) {
    /** Bytes of paths in one request, which has a target besides. */
    private static final int MAX_BYTES = ProtocolLimits.MAX_CONTROL / 2;

    private static final int PATH_ROOM = 4;

    /**
     * Appends files to one, and removes them.
     *
     * @throws HadoopIllegalArgumentException if there are none, one is named twice, or is the
     *     target, or they cannot be one file
     */
    public void concat(String target, List<String> sources) throws IOException {
        checkSources(target, sources);
        try {
            List<String> left = sources;
            List<List<String>> groups = groups(left);
            while (groups.size() > 1) {
                left = new ArrayList<>();
                for (List<String> group : groups) {
                    String first = group.get(0);
                    if (group.size() > 1) {
                        client.concat(first, group.subList(1, group.size()));
                    }
                    left.add(first);
                }
                groups = groups(left);
            }
            client.concat(target, left);
        } catch (InvalidArgumentException e) {
            throw illegal(e);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, target);
        }
    }

    private static List<List<String>> groups(List<String> paths) {
        List<List<String>> groups = new ArrayList<>();
        int start = 0;
        int bytes = 0;
        for (int i = 0; i < paths.size(); i++) {
            int more = paths.get(i).getBytes(StandardCharsets.UTF_8).length + PATH_ROOM;
            if (i - start == Concat.MAX_SOURCES || bytes + more > MAX_BYTES) {
                groups.add(paths.subList(start, i));
                start = i;
                bytes = 0;
            }
            bytes += more;
        }
        groups.add(paths.subList(start, paths.size()));
        return groups;
    }

    private static void checkSources(String target, List<String> sources) {
        if (sources.isEmpty()) {
            throw new HadoopIllegalArgumentException("concat: no files to append to " + target);
        }
        Set<String> seen = new HashSet<>(List.of(target));
        for (String source : sources) {
            if (!seen.add(source)) {
                throw new HadoopIllegalArgumentException(
                        "concat: "
                                + source
                                + (source.equals(target)
                                        ? " is the target itself"
                                        : " is named twice"));
            }
        }
    }

    /**
     * Cuts a file.
     *
     * @throws HadoopIllegalArgumentException if the length is negative or the file is shorter
     */
    public void truncate(String path, long length) throws IOException {
        try {
            client.truncate(path, length);
        } catch (InvalidArgumentException | OffsetOutOfRangeException e) {
            throw illegal(e);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    private static HadoopIllegalArgumentException illegal(CrailException cause) {
        HadoopIllegalArgumentException illegal =
                new HadoopIllegalArgumentException(String.valueOf(cause.getMessage()));
        illegal.initCause(cause);
        return illegal;
    }
}
