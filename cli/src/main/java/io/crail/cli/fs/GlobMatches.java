// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The paths that match a pattern, found while they are asked for: one page of each directory on the
 * way is in memory, however many match. What is removed or made meanwhile may be among them or not.
 * Not thread-safe.
 */
final class GlobMatches implements CrailIterator<String> {
    /** A directory whose entries are being matched with the name at {@code depth}. */
    private record Level(
            String path, List<GlobName> names, int depth, CrailIterator<DirectoryEntry> entries) {}

    private final CrailClient client;
    private final Iterator<List<GlobName>> ways;
    private final Deque<Level> levels = new ArrayDeque<>();
    private @Nullable String next;

    GlobMatches(CrailClient client, Glob glob) {
        this.client = client;
        this.ways = glob.ways().iterator();
    }

    @Override
    public boolean hasNext() throws CrailException {
        while (next == null) {
            Level level = levels.peek();
            if (level == null) {
                if (!ways.hasNext()) {
                    return false;
                }
                enter("/", null, ways.next(), 0);
            } else if (level.entries.hasNext()) {
                DirectoryEntry entry = level.entries.next();
                if (level.names.get(level.depth).matches(entry.name())) {
                    String path = CrailPath.join(level.path, entry.name());
                    enter(path, entry.status(), level.names, level.depth + 1);
                }
            } else {
                levels.pop();
            }
        }
        return true;
    }

    @Override
    public String next() throws CrailException {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        String found = Objects.requireNonNull(next);
        next = null;
        return found;
    }

    /**
     * Goes on below a path with the names from {@code depth} on.
     *
     * @param known what is there, if that is known
     */
    private void enter(String path, @Nullable NodeStatus known, List<GlobName> names, int depth)
            throws CrailException {
        String below = path;
        NodeStatus status = known;
        int at = depth;
        while (at < names.size() && names.get(at).literal() != null) {
            below = CrailPath.join(below, Objects.requireNonNull(names.get(at).literal()));
            status = null;
            at++;
        }
        Optional<NodeStatus> there = status != null ? Optional.of(status) : client.lookup(below);
        if (there.isEmpty()) {
            return;
        }
        if (at == names.size()) {
            next = below;
        } else if (Attributes.hasNames(there.get())) {
            levels.push(new Level(below, names, at, client.list(below)));
        }
    }
}
