# Builds the program and copies it into an empty image, where it runs as a user
# without privileges.
FROM golang:1.26 AS build
ARG COMMIT="" DATE=""
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false \
    -ldflags="-s -w -X stockroom/handlers/cli.Commit=${COMMIT} -X stockroom/handlers/cli.Date=${DATE}" \
    -o /out/stockroom . \
    && mkdir -p /out/data /out/tmp && chmod 700 /out/data && chmod 1777 /out/tmp

FROM scratch
COPY --from=build /out/stockroom /stockroom
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /out/data /data
COPY --from=build /out/tmp /tmp
USER 65532:65532
ENV STOCKROOM_ADDR=0.0.0.0:8080 STOCKROOM_DATA=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s CMD ["/stockroom", "health"]
ENTRYPOINT ["/stockroom"]
