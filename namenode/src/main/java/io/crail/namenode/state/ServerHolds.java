// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.ExtentList;
import java.util.List;

/**
 * What sessions hold of one storage server to write to: granted blocks, and leases of files whose
 * last block, which only their writers may touch, lies there.
 */
public final class ServerHolds {
    private final State state;
    private final int server;

    public ServerHolds(State state, int server) {
        this.state = state;
        this.server = server;
    }

    private boolean isHere(GrantedBlock grant) {
        return grant.id().server() == server;
    }

    private boolean standsInTheWay(Handle.Lease lease) {
        ExtentList list = lease.file().extents();
        return lease.grants().values().stream().anyMatch(this::isHere)
                || (list.count() > 0 && list.server(list.count() - 1) == server);
    }

    /** Bytes of the granted blocks. */
    public long bytes() {
        long bytes = 0;
        for (Session session : state.sessions().all()) {
            bytes += bytes(session.grants().values());
            for (Handle handle : session.handles().values()) {
                bytes += handle instanceof Handle.Lease lease ? bytes(lease.grants().values()) : 0;
            }
        }
        return bytes;
    }

    private long bytes(Iterable<GrantedBlock> grants) {
        long bytes = 0;
        for (GrantedBlock grant : grants) {
            bytes += isHere(grant) ? grant.length() : 0;
        }
        return bytes;
    }

    /** How many leases there are. */
    public int leases() {
        int leases = 0;
        for (Session session : state.sessions().all()) {
            for (Handle handle : session.handles().values()) {
                leases += handle instanceof Handle.Lease lease && standsInTheWay(lease) ? 1 : 0;
            }
        }
        return leases;
    }

    /** Takes all back. Files keep their committed bytes, sealed; their writers lose the lease. */
    void revoke() {
        for (Session each : List.copyOf(state.sessions().all())) {
            Session session = state.sessionOf(each.id());
            state.leases()
                    .release(
                            session.id(),
                            session.grants().values().stream()
                                    .filter(this::isHere)
                                    .map(GrantedBlock::id)
                                    .toList());
            for (Handle handle : List.copyOf(session.handles().values())) {
                if (handle instanceof Handle.Lease lease && standsInTheWay(lease)) {
                    state.leases().breakLease(lease.file());
                    state.removal().releaseIfUnused(lease.file());
                }
            }
        }
    }
}
