// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.access;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.MessageType;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one place that every request passes. When rights are enforced, a request of a type that has
 * no rule is refused: who adds a type and forgets the rule makes it useless, not dangerous.
 *
 * <p>A request is checked as a whole before it is handled, in the same step of the engine's thread:
 * nothing changes in between. A repeated mutation is answered from memory without a check, as it
 * was checked when it was executed.
 */
public final class AccessCheck {
    private final boolean enforces;
    private final String superuser;
    private final Map<MessageType, Rules.Rule> rules;

    /**
     * A check.
     *
     * @param superuser the user who may do everything
     */
    public AccessCheck(Permissions permissions, String superuser) {
        this(permissions, superuser, Rules.all());
    }

    AccessCheck(Permissions permissions, String superuser, Map<MessageType, Rules.Rule> rules) {
        this.enforces = permissions == Permissions.ENFORCE;
        this.superuser = superuser;
        this.rules = rules;
    }

    /**
     * Refuses what the asker has no right to.
     *
     * @param session who asks; null before there is a session, and for storage servers
     * @param fields of the request, from the first one on; asked for only if they matter
     */
    public void check(
            MessageType type, @Nullable Session session, Tree tree, Supplier<WireReader> fields)
            throws CrailException {
        if (!enforces) {
            return;
        }
        Rules.Rule rule = rules.get(type);
        if (rule == null) {
            throw new AccessDeniedException(
                    "nobody may ask "
                            + type
                            + " while namenode.permissions is 'enforce': no rule says who may");
        }
        if (rule == Rules.FREE || rule == Rules.NOT_OF_CLIENTS) {
            return;
        }
        if (session == null) {
            throw new AccessDeniedException(type + " needs a session: rights are those of a user");
        }
        rule.check(new Asker(tree, session, isSuperuser(session)), fields.get());
    }

    /** Whether a session sees what is kept from all but the superuser. */
    public boolean isTrusted(Session session) {
        return !enforces || isSuperuser(session);
    }

    private boolean isSuperuser(Session session) {
        return session.identity().user().equals(superuser);
    }
}
