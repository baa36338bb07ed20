// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.BusyException;
import io.crail.nvmf.layout.SessionHost;
import io.crail.nvmf.target.subsystem.HostAdmission;
import io.crail.nvmf.target.subsystem.HostIdentity;
import io.crail.storage.spi.Admission;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets sessions connect that have a ticket of the namenode for this server, as the TCP service does
 * in its hello. Nobody before the first registration. Thread-safe.
 */
final class SessionAdmission implements HostAdmission {
    private static final int TENANT = 0;

    /** As many names are remembered, of 100 bytes each; who comes then is let in unremembered. */
    private static final int MAX_REMEMBERED = 1 << 16;

    /** Names of hosts that were let in under the admission of now. */
    private final Set<String> admitted = ConcurrentHashMap.newKeySet();

    /** Whether others were, too, so that nobody can say whom to fence. */
    private volatile boolean forgetful;

    /** Names of hosts that were let in under an earlier one and are not known to be gone. */
    private final Set<String> expired = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Admission admission;

    /** Whether nobody is let in any more; changed under the lock. */
    private boolean closed;

    /**
     * Adds first and looks again second; who changes the admission does it the other way round. So
     * a host that came by the old one is either found there, or asked again here.
     */
    @Override
    public Verdict ask(HostIdentity host) {
        while (true) {
            Admission current = admission;
            if (current == null || expired.contains(host.nqn())) {
                return Verdict.LATER;
            }
            Optional<SessionHost> session = SessionHost.of(host.nqn(), host.id());
            if (session.isEmpty() || !isGood(current, session.get())) {
                return Verdict.REFUSED;
            }
            if (admitted.size() < MAX_REMEMBERED) {
                admitted.add(host.nqn());
            } else if (!admitted.contains(host.nqn())) {
                forgetful = true;
            }
            if (current.equals(admission)) {
                return Verdict.ADMITTED;
            }
        }
    }

    private static boolean isGood(Admission admission, SessionHost host) {
        // One comparison of two longs takes the same time whatever they hold.
        return admission.seal().ticket(host.session(), TENANT, admission.server()) == host.ticket();
    }

    /**
     * Goes by another admission from now on.
     *
     * @return names of hosts that were let in by one that is good no more, and are to be fenced
     * @throws BusyException if these are more than are remembered: then nobody is let in any more
     */
    synchronized Set<String> change(Admission next) throws BusyException {
        Admission before = admission;
        boolean isNew = closed || (before != null && !next.acceptsGrantsOf(before));
        if (isNew) {
            admission = null; // Nobody is let in meanwhile, so nobody is forgotten from now on.
            if (forgetful) {
                closed = true;
                throw new BusyException(
                        "the namenode gave another key, and more than "
                                + MAX_REMEMBERED
                                + " sessions came by the old one: restart this storage server");
            }
        }
        admission = next;
        if (isNew) {
            Set<String> old = Set.copyOf(admitted);
            expired.addAll(old);
            admitted.removeAll(old);
        }
        return Set.copyOf(expired);
    }

    /** A host that {@link #change} named is fenced, and may come again by a new ticket. */
    void fenced(String host) {
        expired.remove(host);
    }
}
