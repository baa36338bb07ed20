// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeNamespaceChangedException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.wire.command.AsyncEvent;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.log.ErrorEntry;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what a controller tells of by itself: asks for one event, and when it has come, reads the
 * log page that it names, which lets the controller tell the next, and asks again. If namespaces
 * changed, those that are in use are looked at: one that is not what it was ends this life of the
 * controller, as it would at a reset. All else is logged.
 *
 * <p>An event is dealt with in a daemon thread that exists only for that, since it takes several
 * answers of the controller.
 */
final class EventWatch {
    private static final Logger LOG = LoggerFactory.getLogger(EventWatch.class);
    private static final int ALL_NAMESPACES = -1;

    /** More than any page that is read here has to say at once. */
    private static final int PAGE_BYTES = 4096;

    private final Association association;
    private final NvmeAddress address;
    private final OpenedNamespaces namespaces;

    EventWatch(Association association, NvmeAddress address, OpenedNamespaces namespaces) {
        this.association = association;
        this.address = address;
        this.namespaces = namespaces;
    }

    /** Says which events are wanted, if there is a choice, and asks for the first. */
    void start() throws NvmeException, InterruptedIOException {
        int wanted = association.info().asyncEvents() & AsyncEvent.CONFIGURE_NAMESPACE;
        if (wanted != 0) {
            try {
                association.adminNow(
                        "Set Features Asynchronous Event Configuration",
                        DataDirection.NONE,
                        null,
                        (buffer, at, id) ->
                                FeaturesCommand.encodeSet(
                                        buffer, at, id, 0, FeatureId.ASYNC_EVENTS, wanted));
            } catch (NvmeStatusException e) {
                LOG.info("{} does not tell of changed namespaces: {}", address, e.getMessage());
            }
        }
        ask();
    }

    private void ask() {
        association.postAdmin(new EventRequest(this::happened));
    }

    private void happened(int event) {
        Thread thread = new Thread(() -> handle(event), "crail-nvmf-event");
        thread.setDaemon(true);
        thread.start();
    }

    private void handle(int event) {
        try {
            ByteBuffer page = read(AsyncEvent.logPage(event));
            tell(event, page);
            if (AsyncEvent.type(event) == AsyncEvent.TYPE_NOTICE
                    && AsyncEvent.information(event) == AsyncEvent.NAMESPACE_CHANGED) {
                namespaces.check(association);
            }
            ask();
        } catch (NvmeNamespaceChangedException e) {
            association.end(e);
        } catch (NvmeException e) {
            LOG.info("{}: no more events are heard of: {}", address, e.toString());
        } catch (InterruptedIOException e) {
            LOG.debug("{}: interrupted", address, e);
        }
    }

    private ByteBuffer read(int logPage) throws NvmeException, InterruptedIOException {
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
        association.adminNow(
                "Get Log Page " + logPage,
                DataDirection.CONTROLLER_TO_HOST,
                page,
                (buffer, at, id) ->
                        LogPageCommand.encode(
                                buffer, at, id, ALL_NAMESPACES, logPage, PAGE_BYTES, 0, false));
        return page;
    }

    private void tell(int event, ByteBuffer page) {
        if (AsyncEvent.type(event) != AsyncEvent.TYPE_ERROR) {
            LOG.info(
                    "{} tells of an event of type {}, information {}, log page {}",
                    address,
                    AsyncEvent.type(event),
                    AsyncEvent.information(event),
                    AsyncEvent.logPage(event));
            return;
        }
        LOG.warn(
                "{} tells of an error ({}); its last one, of {}: {} at block {} of namespace {}",
                address,
                AsyncEvent.information(event),
                ErrorEntry.errorCount(page, 0),
                Status.describe(ErrorEntry.status(page, 0), StatusCode.Scope.ANY),
                ErrorEntry.block(page, 0),
                ErrorEntry.namespaceId(page, 0));
    }
}
