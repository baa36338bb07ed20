// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.serve;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.TargetConfig;
import io.crail.nvmf.target.backing.BackingException;
import io.crail.nvmf.wire.QualifiedName;
import io.crail.protocol.launch.RunningTarget;
import io.crail.protocol.launch.TargetLauncher;
import io.crail.protocol.launch.TargetRequest;
import io.crail.storage.tcp.ListenFailure;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;

/** Starts targets with one namespace. */
public final class FileTargetLauncher implements TargetLauncher {
    @Override
    public RunningTarget start(TargetRequest request) throws CrailException {
        checkName("--nqn", request.nqn());
        if (request.nqn().equals(QualifiedName.DISCOVERY)) {
            throw new InvalidArgumentException(
                    "--nqn " + request.nqn() + " is the name of every discovery service");
        }
        for (String host : request.allowedHosts()) {
            checkName("--allow-host", host);
        }
        RequestedFile.check(request.file(), request.bytes());
        InetSocketAddress listen = ListenAddress.resolve(request.listen());
        TargetConfig config = config(request, listen);
        ListenAddress.check(listen);
        try {
            return FileTarget.of(NvmeTarget.start(config), request.file());
        } catch (BackingException e) {
            throw failure(e);
        } catch (IOException e) {
            throw e.getCause() instanceof BindException taken
                    ? ListenFailure.of(listen, taken)
                    : new InternalException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void checkName(String option, String name) throws InvalidArgumentException {
        try {
            QualifiedName.check(name);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(option + " " + e.getMessage(), e);
        }
    }

    private static TargetConfig config(TargetRequest request, InetSocketAddress listen)
            throws InvalidArgumentException {
        try {
            NamespaceConfig namespace =
                    NamespaceConfig.of(request.file(), request.bytes())
                            .withBlockBytes(request.blockBytes());
            return TargetConfig.builder(request.nqn(), namespace)
                    .bind(listen)
                    .anyHost(request.anyHost())
                    .allowedHosts(request.allowedHosts())
                    .build();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private static CrailException failure(BackingException e) {
        String message = String.valueOf(e.getMessage());
        return switch (e.reason()) {
            case NO_SPACE -> new OutOfSpaceException(message, e);
            case INVALID -> new InvalidArgumentException(message, e);
            case DENIED -> new AccessDeniedException(message, e);
            case IN_USE -> new BusyException(message, e);
            case FAILED -> new InternalException(message, e);
        };
    }
}
