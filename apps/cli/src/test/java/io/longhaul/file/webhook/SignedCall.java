// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/**
 * A delivery to a trigger, as Standard Webhooks have it.
 *
 * @param id     of the message
 * @param secret that signs
 * @param time   of the delivery
 */
public record SignedCall(String id, String secret, Instant time, String body) {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** A delivery of now. */
    public static SignedCall of(String id, String secret, String body) {
        return new SignedCall(id, secret, Instant.now(), body);
    }

    /** Writes a secret for this user alone. */
    public static void keep(Path file, String secret) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, secret + "\n");
    }

    /** Delivers it to a trigger of the server that has this address. */
    public HttpResponse<String> to(URI server, String trigger) throws IOException, InterruptedException {
        return send(request(server, trigger).build());
    }

    /** The delivery, with its headers. */
    HttpRequest.Builder request(URI server, String trigger) throws IOException {
        long seconds = time.getEpochSecond();
        return request(server, trigger, body)
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(seconds))
                .header(
                        "webhook-signature",
                        Signatures.sign(Signatures.key(secret), id, seconds, body.getBytes(UTF_8)));
    }

    static HttpRequest.Builder request(URI server, String trigger, String body) {
        return HttpRequest.newBuilder(server.resolve("/triggers/" + trigger))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return CLIENT.send(request, BodyHandlers.ofString());
    }
}
