// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import io.crail.protocol.message.NodeStatus;
import java.util.List;
import java.util.Optional;

/**
 * Where things are copied or moved in crail: to a new name or, if the last path is a directory,
 * into it. A multifile takes things as a directory does.
 *
 * @param sources what goes there
 * @param path the last path
 * @param directory whether things go into it
 * @param multiFile whether it is a multifile, so that things are its members
 */
record Target(List<String> sources, String path, boolean directory, boolean multiFile) {
    /** Looks at the last of several paths, those before being local. */
    static Target of(CrailClient client, List<String> paths) throws CrailException {
        return of(client, paths, paths.size() > 2);
    }

    /** As above, those before being patterns for paths of crail. */
    static Target of(CrailClient client, List<String> paths, PathPatterns patterns)
            throws CrailException {
        return of(client, paths, patterns.areSeveral(client, paths.subList(0, paths.size() - 1)));
    }

    private static Target of(CrailClient client, List<String> paths, boolean several)
            throws CrailException {
        List<String> sources = paths.subList(0, paths.size() - 1);
        String last = paths.get(paths.size() - 1);
        String path = CrailPath.trim(last);
        Optional<NodeStatus> status = client.lookup(path);
        boolean directory = status.map(Attributes::hasNames).orElse(false);
        boolean multiFile = status.map(Attributes::isMultiFile).orElse(false);
        if (!directory && (several || last.length() > path.length())) {
            if (status.isEmpty()) {
                throw new NoSuchNodeException("target directory " + path + " does not exist");
            }
            throw new InvalidArgumentException("target " + path + " is not a directory");
        }
        return new Target(List.copyOf(sources), path, directory, multiFile);
    }

    /** Where a source of that name goes. */
    String pathFor(String name) {
        return directory && !name.isEmpty() ? CrailPath.join(path, name) : path;
    }
}
