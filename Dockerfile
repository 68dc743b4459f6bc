# Installs, writes generated code and builds the dashboard. Nothing of npm stays in the image that runs.
# Not the slim one: `strip` is among its tools.
FROM node:24-bookworm AS build
WORKDIR /opt/sightline
COPY . .
# Fetches the tools that write generated code and build the dashboard, and throws them away in the same layer.
RUN npm ci --omit=dev --no-audit --no-fund && mkdir /opt/engine && mv node_modules/@chdb /opt/engine
# Names of functions in Node.js, which only a debugger of C++ reads, are a seventh of it.
RUN strip /usr/local/bin/node

FROM debian:bookworm-slim
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
COPY --from=build /usr/local/bin/node /usr/local/bin/node
# chDB is two thirds of the image, and changes less often than the rest: a layer of its own is fetched once.
COPY --from=build /opt/engine /opt/sightline/node_modules
COPY --from=build /opt/sightline /opt/sightline
WORKDIR /opt/sightline

# The service makes its folder itself, readable by its user alone.
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data/sightline HOST=0.0.0.0 PORT=4000 TRACKER_PORT=4001
VOLUME /data
EXPOSE 4000 4001
USER node

HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "cli/sightline.js", "serve"]
