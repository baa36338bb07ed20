// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Which hosts may connect. Not thread-safe: guarded by the subsystem, because whether a host may
 * come and that it is there must change together.
 *
 * <p>With an allow-list a host that is not on it is refused, and revoking one takes it off. Without
 * one, revoked hosts are remembered instead. Both sets are bounded.
 */
final class Hosts {
    static final int MAX_HOSTS = 1 << 16;

    private final boolean any;
    private final Set<String> allowed = new HashSet<>();
    private final Set<String> revoked = new HashSet<>();

    Hosts(boolean any, Collection<String> allowed) {
        this.any = any;
        for (String each : allowed) {
            admit(each);
        }
    }

    boolean mayConnect(String nqn) {
        return any ? !revoked.contains(nqn) : allowed.contains(nqn);
    }

    void admit(String nqn) {
        revoked.remove(nqn);
        if (!any) {
            add(allowed, nqn);
        }
    }

    void revoke(String nqn) {
        allowed.remove(nqn);
        if (any) {
            add(revoked, nqn);
        }
    }

    private static void add(Set<String> names, String nqn) {
        if (names.size() >= MAX_HOSTS && !names.contains(nqn)) {
            throw new IllegalStateException(
                    "the target remembers " + MAX_HOSTS + " hosts and no more; revoke old ones");
        }
        names.add(nqn);
    }
}
