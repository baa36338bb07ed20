// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.identify;

import io.crail.nvmf.wire.FixedText;
import io.crail.nvmf.wire.LittleEndian;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket on the controller's machine where it takes the same connections as over TCP, in the
 * vendor's part of Identify Controller. Only controllers have it that say that they share memory
 * ({@link ControllerData#sharesMemory}), and they tell it to hosts of their machine only.
 *
 * @param path of the socket, at most 107 bytes of UTF-8
 * @param reached address and port at which the host that is told has reached the controller. Where
 *     these are others than the host has connected to, a proxy or a tunnel is between, and whoever
 *     has set that up wants commands to go through it.
 */
public record LocalSocketField(String path, InetSocketAddress reached) {
    private static final int PATH = ControllerData.VENDOR_SPECIFIC + 16;

    /** As many as the address of a Unix socket has on Linux (unix(7)). */
    private static final int PATH_LENGTH = 108;

    private static final int PORT = PATH + PATH_LENGTH;
    private static final int ADDRESS = PORT + 4;
    private static final int ADDRESS_LENGTH = 16;

    /** Where the bytes of an IPv4 address begin in one of IPv6 (RFC 4291, section 2.5.5.2). */
    private static final int MAPPED = 12;

    /**
     * Writes it into the data of Identify Controller that begins at {@code at}.
     *
     * @throws IllegalArgumentException if the path is too long for the address of a Unix socket
     */
    public void encode(ByteBuffer data, int at) {
        FixedText.putTerminated(data, at + PATH, PATH_LENGTH, path);
        LittleEndian.u16(data, at + PORT, reached.getPort());
        LittleEndian.zero(data, at + ADDRESS, ADDRESS_LENGTH);
        byte[] bytes = reached.getAddress().getAddress();
        if (reached.getAddress() instanceof Inet4Address) {
            LittleEndian.u16(data, at + ADDRESS + MAPPED - 2, 0xFFFF);
            data.put(at + ADDRESS + MAPPED, bytes);
        } else {
            data.put(at + ADDRESS, bytes);
        }
    }

    /** Reads what any controller may have written; null if it tells of none. */
    public static @Nullable LocalSocketField decode(ByteBuffer data, int at) {
        String path = FixedText.getTerminated(data, at + PATH, PATH_LENGTH);
        if (path.isEmpty() || !ControllerData.sharesMemory(data, at)) {
            return null;
        }
        byte[] bytes = new byte[ADDRESS_LENGTH];
        data.get(at + ADDRESS, bytes);
        try {
            return new LocalSocketField(
                    path,
                    new InetSocketAddress(
                            InetAddress.getByAddress(bytes), LittleEndian.u16(data, at + PORT)));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("sixteen bytes are an address", e);
        }
    }
}
