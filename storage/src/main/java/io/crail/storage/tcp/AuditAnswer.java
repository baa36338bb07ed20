// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.AuditSegment;
import io.crail.storage.block.SlotAudit;
import io.crail.storage.spi.Admission;
import java.util.List;

/**
 * AUDIT_SEGMENT: who may ask, and what they are told. Nothing of the request is believed: the
 * permit is checked first, and every position is a good one. Stateless.
 */
final class AuditAnswer {
    private AuditAnswer() {}

    static AuditSegment.Reply of(AccessCheck access, WireReader control) throws CrailException {
        AuditSegment.Request request = AuditSegment.Request.decode(control);
        ServiceState state = access.state();
        Admission admission = state.admitted();
        long expected =
                admission.seal().audit(access.session(), access.tenant(), admission.server());
        if (request.permit() != expected) {
            throw new AccessDeniedException(
                    "session " + access.session() + " has no permit to check this storage server");
        }
        if (request.slots() < 1 || request.slots() > AuditSegment.MAX_SLOTS) {
            throw new InvalidArgumentException(
                    request.slots()
                            + " slots in one page of a check, 1 to "
                            + AuditSegment.MAX_SLOTS);
        }
        return switch (request.part()) {
            case AuditSegment.SLOTS ->
                    new SlotAudit(state.blocks).page(request.position(), request.slots());
            case AuditSegment.PINS -> pins(state, request.position());
            default -> throw new InvalidArgumentException("part " + request.part() + " of a check");
        };
    }

    private static AuditSegment.Reply pins(ServiceState state, AuditSegment.Position position) {
        LocalAccess local = state.local;
        return local == null
                ? new AuditSegment.Reply(
                        true, AuditSegment.Position.START, 0, 0, 0, List.of(), List.of())
                : local.sessions().audit(position);
    }
}
